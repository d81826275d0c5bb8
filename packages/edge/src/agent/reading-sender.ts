import { MAX_COUNTERS, type UsageAnswer } from '@bursar/contract/edge';
import type { Logger } from 'pino';
import type { EdgeClient } from './edge-client.ts';
import type { KeptCounters } from './kept-counters.ts';
import { mayCountLater, type Reading, wireForm } from './reading.ts';

export interface ReadingSender {
	/** Tries once to send what is due, with at most 1,000 readings in a request. */
	sendDue(): Promise<void>;
	readonly stats: SenderStats;
}

export interface SenderStats {
	/** Readings that the service has counted, now or before. */
	readonly acknowledged: number;
	/** Refused readings, by reason. Those that may be good later are sent again, each time later. */
	readonly refused: Readonly<Record<string, number>>;
	/** Why the last report failed; `undefined` if the service took it. It may have been empty. */
	readonly away: string | undefined;
}

export interface ReadingSenderParts {
	readonly counters: Pick<KeptCounters, 'due' | 'send' | 'settle' | 'holdBack'>;
	readonly client: Pick<EdgeClient, 'report'>;
	readonly logger: Logger;
	/** Unix milliseconds. */
	readonly clockMs: () => number;
	/** Monotonic. */
	readonly nowMs: () => number;
}

/** If there is nothing to report for this long, an empty report shows that this edge runs and that its key is good. */
const HEARTBEAT_MS = 10_000;
const WARN_AGAIN_MS = 10_000;

export function createReadingSender({ counters, client, logger, clockMs, nowMs }: ReadingSenderParts): ReadingSender {
	const refused: Record<string, number> = {};
	let acknowledged = 0;
	let away: string | undefined = 'it was not asked yet';
	let askedAtMs = Number.NEGATIVE_INFINITY;
	let warnedAtMs = Number.NEGATIVE_INFINITY;

	async function sendDue(): Promise<void> {
		const names = counters.due();
		const isHeartbeatDue = away !== undefined || nowMs() - askedAtMs >= HEARTBEAT_MS;
		if (names.length === 0 && !isHeartbeatDue) return;
		do {
			askedAtMs = nowMs();
			const sent = counters.send(names.splice(0, MAX_COUNTERS));
			const result = await client.report(sent.map((reading) => wireForm(reading, clockMs())));
			tellOfService(result.ok ? undefined : `${result.code} (${result.message})`);
			if (!result.ok) return;
			takeAnswer(sent, result.value);
		} while (names.length > 0);
	}

	function takeAnswer(sent: readonly Reading[], answer: UsageAnswer): void {
		const reasons = new Map(answer.refused.map(({ place: index, reason }) => [index, reason]));
		for (const [index, reading] of sent.entries()) {
			const reason = reasons.get(index);
			if (reason === undefined) acknowledged++;
			else refused[reason] = (refused[reason] ?? 0) + 1;
			if (reason !== undefined && mayCountLater(reading, reason, clockMs())) counters.holdBack(reading);
			else counters.settle(reading);
		}
		if (reasons.size > 0) tellOfRefusals(reasons, sent);
	}

	function tellOfService(reason: string | undefined): void {
		if (reason !== undefined && reason !== away) logger.warn({ reason }, 'the service does not take reports');
		if (reason === undefined && away !== undefined) logger.info('the service takes reports');
		away = reason;
	}

	function tellOfRefusals(reasons: ReadonlyMap<number, string>, sent: readonly Reading[]): void {
		if (nowMs() - warnedAtMs < WARN_AGAIN_MS) return;
		warnedAtMs = nowMs();
		const [[index, reason] = [0, '']] = reasons;
		const counter = sent[index]?.counter;
		logger.error({ readings: reasons.size, counter, reason }, 'the service refused readings, this one among them');
	}

	return {
		sendDue,
		get stats() {
			return { acknowledged, refused, away };
		},
	};
}
