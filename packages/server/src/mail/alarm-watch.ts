import type { Bank } from '../bank/bank.ts';
import type { RaiseAlarm } from '../commands/mail/alarms.ts';
import { type Edge, isSilent, SILENT_MS } from '../domain/edge.ts';
import type { AlarmKind } from '../domain/mail/notice.ts';
import type { EdgeReads } from '../store/tables/edges/edges.ts';
import type { StoredVerification, VerificationReads } from '../store/tables/ledger/verifications.ts';
import type { MailReads } from '../store/tables/mail/reads.ts';

/** How often a process looks for causes of alarms, in milliseconds. */
const LOOK_MS = 60_000;

/**
 * Raises alarms about lasting states that no command brings about: an edge falls silent, a verification has failed. If several
 * processes look at once, the first one raises the alarm, and the others find it raised.
 */
export interface AlarmWatch {
	/** Gives no more commands. */
	close(): void;
}

interface WatchParts {
	readonly store: Pick<MailReads, 'listAlarms'> &
		Pick<EdgeReads, 'listEdges'> &
		Pick<VerificationReads, 'findVerifications'>;
	readonly bank: Pick<Bank, 'changePerson'>;
	readonly nowMs: () => number;
	/** What failed is done at the next look. */
	readonly failed: (cause: unknown) => void;
	readonly lookMs?: number | undefined;
	readonly silentMs?: number | undefined;
}

type AlarmNotice = RaiseAlarm['notice'];

export function createAlarmWatch(parts: WatchParts): AlarmWatch {
	const { store, bank, nowMs, failed, lookMs = LOOK_MS, silentMs = SILENT_MS } = parts;
	const begunAtMs = performance.now();
	let isClosed = false;
	let isUnderWay = false;
	const timer = setInterval(look, lookMs);
	timer.unref();

	async function look(): Promise<void> {
		if (isUnderWay || isClosed) return;
		isUnderWay = true;
		// What cannot be read of one kind delays none of the others.
		const looks = await Promise.allSettled([lookAtEdges(), lookAtVerifications()]);
		for (const each of looks) if (each.status === 'rejected' && !isClosed) failed(each.reason);
		isUnderWay = false;
	}

	async function lookAtEdges(): Promise<void> {
		// While the service was away, it heard of no edge.
		if (performance.now() - begunAtMs < silentMs) return;
		const silent = (await store.listEdges()).filter((edge) => isSilent(edge, nowMs() - silentMs));
		await settle('silent_edge', new Map(silent.map((edge) => [edge.name, silentEdge(edge, nowMs())])));
	}

	async function lookAtVerifications(): Promise<void> {
		const { ended } = await store.findVerifications();
		const notice = ended && failedVerification(ended);
		await settle('failed_verification', new Map(ended && notice ? [[ended.id, notice]] : []));
	}

	/** Makes exactly these alarms of a kind the ones that are raised. */
	async function settle(alarm: AlarmKind, wanted: ReadonlyMap<string, AlarmNotice>): Promise<void> {
		const raised = await store.listAlarms(alarm);
		for (const subject of raised) if (!wanted.has(subject)) await end(alarm, subject);
		for (const [subject, notice] of wanted) if (!raised.includes(subject)) await raise(subject, notice);
	}

	async function raise(subject: string, notice: AlarmNotice): Promise<void> {
		assertDone(await bank.changePerson({ kind: 'raise_alarm', subject, notice }));
	}

	async function end(alarm: AlarmKind, subject: string): Promise<void> {
		assertDone(await bank.changePerson({ kind: 'end_alarm', alarm, subject }));
	}

	void look();
	return {
		close() {
			isClosed = true;
			clearInterval(timer);
		},
	};
}

function assertDone(outcome: { readonly ok: true } | { readonly ok: false; readonly error: string }): void {
	if (!outcome.ok) throw new Error(`an alarm could not be written: ${outcome.error}`);
}

function silentEdge({ name, lastSeenAtMs }: Edge, atMs: number): AlarmNotice {
	return { kind: 'silent_edge', to: 'operators', atMs, facts: { edge: name, lastSeenAtMs: lastSeenAtMs ?? 0 } };
}

/** `undefined` if it was finished and has found nothing. */
function failedVerification({ result, endedAtMs, notedAtMs }: StoredVerification): AlarmNotice | undefined {
	const problems = result === null ? null : (JSON.parse(result) as { readonly problems: number }).problems;
	if (problems === 0) return undefined;
	return { kind: 'failed_verification', to: 'operators', atMs: endedAtMs ?? notedAtMs, facts: { problems } };
}
