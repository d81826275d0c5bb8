import { errors } from '@bursar/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BankObserver } from '../../bank/bank.ts';
import type { EdgeTotals } from '../../bank/edge-uses.ts';
import type { Edge } from '../../domain/edge.ts';
import type { TryEnd } from '../../domain/mail/mail.ts';
import { type RequestMetrics, UNAVAILABLE_CAUSES } from '../server/observation.ts';
import { addEdgeMetrics } from './edge-metrics.ts';
import { addMailMetrics } from './mail-metrics.ts';
import { addMeteringMetrics } from './metering-metrics.ts';
import { addPaymentMetrics, type PaymentMetrics, type ReadLag } from './payment-metrics.ts';
import { addResellerMetrics } from './reseller-metrics.ts';
import { addStoreMetrics, type StoreFigures } from './store-metrics.ts';
import { addWebhookMetrics, type WebhookResult } from './webhook-metrics.ts';

export interface Metrics extends RequestMetrics {
	readonly batches: Pick<BankObserver, 'batchDone' | 'changed'>;
	/** Counts the faults of batches, by kind. */
	batchFault(kind: string): void;
	/** Counts tries to sign in on the dashboard: how, and `success` or the code of the refusal. */
	signInDone(method: string, result: string): void;
	/** Counts the bandwidth that was settled. */
	readonly usageSettled: NonNullable<BankObserver['settled']>;
	/** Counts a try to send a mail, by how it ended. */
	mailEnded(end: TryEnd['kind']): void;
	/** Counts a try to send an event to a webhook, by how it ended. */
	webhookTried(result: WebhookResult): void;
	readonly payments: PaymentMetrics;
	/** All metrics, in the Prometheus text format. */
	text(): Promise<string>;
	readonly contentType: string;
}

/** Figures that are read from other parts. */
export interface ReadFigures {
	readonly version: string;
	readonly store: StoreFigures;
	/** Why the service should get no requests, as far as it is known without asking; `undefined` if it is ready. */
	readonly unreadyBecause: () => string | undefined;
	readonly queueDepth: () => number;
	readonly droppedLogLines?: (() => number) | undefined;
	readonly edges: () => Iterable<Edge>;
	readonly edgeUses: () => Iterable<EdgeTotals>;
	readonly paymentReadLag: ReadLag;
}

/** In seconds. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const BATCH_FAULTS: readonly Parameters<BankObserver['fault']>[1][] = ['failed_alone', 'not_done', 'outcome_unknown'];

/** Sums of other metrics that may fall, although their names say that they only grow. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The metrics of one process. No label contains anything that clients choose; resellers are named by the operator. */
export function createMetrics(figures: ReadFigures): Metrics {
	const {
		version,
		store,
		unreadyBecause,
		queueDepth,
		droppedLogLines = () => 0,
		edges,
		edgeUses,
		paymentReadLag,
	} = figures;
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	for (const name of MISNAMED) registry.removeSingleMetric(name);
	const registers = [registry];
	new Gauge({
		name: 'bursar_build_info',
		help: 'Always 1. Its labels are the version and the engine of the store.',
		labelNames: ['version', 'engine'],
		registers,
	}).set({ version, engine: store.engine }, 1);
	new Gauge({
		name: 'bursar_ready',
		help: '1 while the service can serve requests, as /readyz said in the last seconds, and 0 otherwise.',
		registers,
		collect() {
			this.set(unreadyBecause() === undefined ? 1 : 0);
		},
	});
	const requests = new Counter({
		name: 'bursar_http_requests_total',
		help: 'Requests answered, by route and HTTP status.',
		labelNames: ['route', 'status'],
		registers,
	});
	const errorsByCode = new Counter({
		name: 'bursar_http_errors_total',
		help: 'Requests that were refused or failed, by the code in X-Error-Code.',
		labelNames: ['code'],
		registers,
	});
	const unavailable = new Counter({
		name: 'bursar_http_unavailable_total',
		help: 'Requests that were answered `unavailable`, by cause: the store, what the asker has in progress or asked too late, or a stop.',
		labelNames: ['cause'],
		registers,
	});
	const requestDurations = new Histogram({
		name: 'bursar_http_request_duration_seconds',
		help: 'Time from the arrival of the headers until the answer is sent, or its stream begins, by route.',
		labelNames: ['route'],
		buckets: DURATION_BUCKETS,
		registers,
	});
	const batchSizes = new Histogram({
		name: 'bursar_batch_size',
		help: 'Commands about accounts in a group commit.',
		buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
		registers,
	});
	const commitDurations = new Histogram({
		name: 'bursar_commit_duration_seconds',
		help: 'Duration of a group commit, from its first read until it is durable.',
		buckets: DURATION_BUCKETS,
		registers,
	});
	const batchFaults = new Counter({
		name: 'bursar_batch_faults_total',
		help: 'Faults of group commits, by kind.',
		labelNames: ['kind'],
		registers,
	});
	// From 0, because Prometheus sees no increase in what appears with its first count.
	for (const code of Object.keys(errors)) errorsByCode.inc({ code }, 0);
	for (const cause of UNAVAILABLE_CAUSES) unavailable.inc({ cause }, 0);
	for (const kind of BATCH_FAULTS) batchFaults.inc({ kind }, 0);
	const signIns = new Counter({
		name: 'bursar_sign_ins_total',
		help: 'Tries to sign in on the dashboard, by method and result.',
		labelNames: ['method', 'result'],
		registers,
	});
	new Gauge({
		name: 'bursar_queue_depth',
		help: 'Commands that wait for the next group commit.',
		registers,
		collect() {
			this.set(queueDepth());
		},
	});
	new Counter({
		name: 'bursar_log_lines_dropped_total',
		help: 'Log lines that were dropped because their reader had stalled or gone.',
		registers,
		collect() {
			this.reset();
			this.inc(droppedLogLines());
		},
	});
	addEdgeMetrics(registry, { edges, edgeUses });
	const readStoreMetrics = addStoreMetrics(registry, store);
	const payments = addPaymentMetrics(registry, paymentReadLag);
	return {
		requestDone(route, status, durationMs, errorCode) {
			requests.inc({ route, status });
			if (errorCode !== undefined) errorsByCode.inc({ code: errorCode });
			requestDurations.observe({ route }, durationMs / 1000);
		},
		unavailable: (cause) => unavailable.inc({ cause }),
		batches: {
			batchDone(size, durationMs, kind) {
				if (kind === 'accounts') batchSizes.observe(size);
				commitDurations.observe(durationMs / 1000);
			},
			changed: addResellerMetrics(registry),
		},
		batchFault: (kind) => batchFaults.inc({ kind }),
		signInDone: (method, result) => signIns.inc({ method, result }),
		usageSettled: addMeteringMetrics(registry),
		mailEnded: addMailMetrics(registry),
		webhookTried: addWebhookMetrics(registry),
		payments: payments.counts,
		async text() {
			await Promise.all([readStoreMetrics(), payments.readLag()]);
			return registry.metrics();
		},
		contentType: registry.contentType,
	};
}
