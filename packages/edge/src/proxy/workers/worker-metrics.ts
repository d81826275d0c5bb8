import { AggregatorRegistry, type Registry } from 'prom-client';
import type { ProcessMetrics } from './messages.ts';
import type { WorkerEnding, WorkerProcess } from './worker-process.ts';

/** The metrics of all workers and of the primary process together. The counts of workers that have ended stay. */
export interface WorkerMetrics {
	readonly contentType: string;
	metrics(): Promise<string>;
	ended(worker: WorkerProcess, ending: WorkerEnding): void;
}

export function createWorkerMetrics(own: Registry, running: () => readonly WorkerProcess[]): WorkerMetrics {
	/** The last answer of each worker, in case it does not answer or is killed. */
	const known = new Map<WorkerProcess, ProcessMetrics>();
	let ofEnded: Promise<ProcessMetrics> = Promise.resolve([]);

	async function ask(worker: WorkerProcess): Promise<ProcessMetrics> {
		const answer = await worker.ask('metrics');
		if (answer && running().includes(worker)) known.set(worker, answer);
		return answer ?? known.get(worker) ?? [];
	}

	return {
		contentType: own.contentType,
		async metrics() {
			// Of a worker that ends meanwhile, this uses its last answer. The next time, the sum contains it.
			const ended = ofEnded;
			const all = await Promise.all([own.getMetricsAsJSON(), ...running().map(ask)]);
			return together([...all, await ended]).metrics();
		},
		ended(worker, { metrics = known.get(worker) ?? [] }) {
			known.delete(worker);
			const counters = metrics.filter(({ type }) => String(type) === 'counter');
			ofEnded = ofEnded.then((before) => together([before, counters]).getMetricsAsJSON());
		},
	};
}

function together(metrics: readonly ProcessMetrics[]): Registry {
	return AggregatorRegistry.aggregate([...metrics]);
}
