import { page } from '@bursar/terminal';
import type { Finding, StoreExamination } from '../../store/examination.ts';

/** Before this program was written, in Unix milliseconds. */
const TOO_EARLY_MS = Date.UTC(2026, 0, 1);
/** As far as clocks may differ, in milliseconds. `Date` headers have whole seconds. */
const ALLOWED_MS = 5_000;
/** By so much a store may be ahead of the clock. */
const ALLOWED_BACK_MS = 1_000;
const REMEDY = `Keep the clock right with NTP: ${page('docs/operating/monitoring.md', 'Clocks')}`;

/** Compares this machine's clock with the store, the database, and the `Date` of an answer of the public URL. */
export function checkClock(
	nowMs: number,
	{ newestEntryAtMs, clockAheadMs }: Pick<StoreExamination, 'newestEntryAtMs' | 'clockAheadMs'>,
	publicAheadMs: number | undefined,
): Finding[] {
	const found: Finding[] = [];
	if (nowMs < TOO_EARLY_MS) {
		const text = `The clock of this machine says ${new Date(nowMs).toISOString()}, which is long ago.`;
		found.push({ state: 'problem', text, remedy: REMEDY });
	}
	// All processes of a store in PostgreSQL use the clock of the database.
	const storeNowMs = nowMs + (clockAheadMs ?? 0);
	if (newestEntryAtMs !== undefined && newestEntryAtMs - storeNowMs > ALLOWED_BACK_MS) {
		const by = seconds(newestEntryAtMs - storeNowMs);
		const whose = clockAheadMs === undefined ? 'of this machine' : 'of the database server';
		const text = `The newest entry of the store is ${by} later than the clock ${whose}: the clock was set back.`;
		found.push({ state: 'problem', text, remedy: REMEDY });
	}
	for (const [other, aheadMs] of [
		['the database server', clockAheadMs],
		['the server at the public URL', publicAheadMs],
	] as const) {
		if (aheadMs === undefined || Math.abs(aheadMs) <= ALLOWED_MS) continue;
		const text = `The clock of this machine is ${seconds(aheadMs)} ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${other}.`;
		found.push({ state: 'warning', text, remedy: REMEDY });
	}
	const others = [
		newestEntryAtMs !== undefined && 'the newest entry of the store',
		clockAheadMs !== undefined && 'the database server',
		publicAheadMs !== undefined && 'the public URL',
	].filter((each) => each !== false);
	const compared =
		others.length === 0 ? 'There was nothing to compare it with.' : `It agrees with ${others.join(', ')}.`;
	if (found.length === 0)
		found.push({ state: 'ok', text: `The clock says ${new Date(nowMs).toISOString()}. ${compared}` });
	return found;
}

function seconds(ms: number): string {
	return `${(Math.abs(ms) / 1_000).toFixed(0)} seconds`;
}
