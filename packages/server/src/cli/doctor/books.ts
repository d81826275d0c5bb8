import { page } from '@bursar/terminal';
import type { Finding } from '../../store/examination.ts';
import type { StoreState } from '../../store/tables/meta/state.ts';

const DAY_MS = 86_400_000;
/** From when on a verification or a backup is too old, as the alert rules say. */
const OLD_VERIFICATION_MS = 2 * DAY_MS;
const OLD_BACKUP_MS = DAY_MS;

/** What the last verification of the ledger found, and when it was. */
export function checkLedger({ verification }: StoreState, nowMs: number): Finding {
	const remedy = `Run bursar ledger verify every day: ${page('docs/operating/monitoring.md', 'Check the books')}`;
	if (!verification) return { state: 'warning', text: 'The ledger was never verified.', remedy };
	const text = `The ledger was verified ${age(nowMs - verification.endedAtMs)} ago`;
	if (verification.problems > 0) {
		const remedy = `Run bursar ledger verify, and stop the service: ${page('docs/operating/trouble.md')}`;
		return { state: 'problem', text: `${text}, with ${verification.problems} problems.`, remedy };
	}
	if (nowMs - verification.endedAtMs > OLD_VERIFICATION_MS) return { state: 'warning', text: `${text}.`, remedy };
	return { state: 'ok', text: `${text}, and was in order.` };
}

/** How old the newest backup is. Only those of the embedded store are known. */
export function checkBackup({ lastBackupAtMs }: StoreState, isEmbedded: boolean, nowMs: number): Finding {
	if (!isEmbedded) {
		return { state: 'skipped', text: 'Backups of PostgreSQL are made by other tools, and are not known here.' };
	}
	const remedy = `Run bursar backup every day: ${page('docs/operating/backup-and-restore.md', 'Back up the embedded store')}`;
	if (lastBackupAtMs === undefined) return { state: 'warning', text: 'No backup was ever made.', remedy };
	const text = `The newest backup is ${age(nowMs - lastBackupAtMs)} old.`;
	return nowMs - lastBackupAtMs > OLD_BACKUP_MS ? { state: 'warning', text, remedy } : { state: 'ok', text };
}

function age(ms: number): string {
	const hours = Math.max(0, Math.floor(ms / 3_600_000));
	return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
