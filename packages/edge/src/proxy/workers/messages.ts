import type { Registry } from 'prom-client';
import type { AccountWaiting, SpeedShare } from '../speed/speed-shares.ts';

/** The metrics of one process, as prom-client sends them. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the primary process tells a worker. */
export type ToWorker =
	| { readonly kind: 'ask'; readonly id: number; readonly what: keyof Answers }
	/** How much of the speed limits of these accounts it may use. */
	| { readonly kind: 'shares'; readonly shares: readonly SpeedShare[] }
	/** Accept no new connections, and end when all connections have ended, or after this time. */
	| { readonly kind: 'drain'; readonly limitMs: number };

/** What a worker tells the primary process. */
export type FromWorker =
	| { readonly kind: 'ready'; readonly url: string }
	| { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly exitCode: number }
	| { readonly kind: 'answer'; readonly id: number; readonly value: Answers[keyof Answers] }
	/** Where connections wait because of the speed limits of accounts. */
	| { readonly kind: 'waiting'; readonly accounts: readonly AccountWaiting[] }
	/** Its last metrics, before it ends. */
	| { readonly kind: 'ending'; readonly metrics: ProcessMetrics };

/** What a worker can be asked. */
export interface Answers {
	/** Why it should get no requests now; `null` if it is ready. */
	readonly readiness: string | null;
	readonly metrics: ProcessMetrics;
}
