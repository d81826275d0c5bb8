import type { OpenConnections } from '@bursar/contract/edge';
import { MAX_CONNECTIONS } from '@bursar/contract/limits';
import { counterReading, type ReportingEdge } from '../../domain/counter-reading.ts';
import type { ArrivedReport } from '../../domain/usage.ts';

interface GostEvent {
	readonly type?: unknown;
	readonly service?: unknown;
	readonly client?: unknown;
	readonly stats?: {
		readonly inputBytes?: unknown;
		readonly outputBytes?: unknown;
		readonly currentConns?: unknown;
	} | null;
}

/**
 * The readings in what GOST observed. The statistics of a client are counters: `inputBytes` counts what GOST read from
 * it, and `outputBytes` what GOST wrote to it. They begin at 0 when GOST starts. The other events, of the state and the
 * totals of a service, are left out. The client is the id that our auther gave: the username.
 */
export function gostReadings(edge: ReportingEdge, events: readonly unknown[], atMs: number): ArrivedReport[] {
	return events.flatMap((event): ArrivedReport[] => {
		const { type, service, client, stats } = (event ?? {}) as GostEvent;
		if (type !== 'stats' || typeof client !== 'string' || client === '') return [];
		const counter = typeof service === 'string' ? `gost:${service}:${client}` : undefined;
		const { inputBytes: up, outputBytes: down } = stats ?? {};
		return [counterReading({ ...edge, counter, username: client, up, down, atMs, restarts: true })];
	});
}

/**
 * How many connections its clients have open. GOST says it only of clients whose bytes or connections have changed, so it
 * forgets none, but the service does: connections on which nothing moves are not known after a while.
 */
export function gostOpen(events: readonly unknown[]): readonly OpenConnections[] {
	const openOf = new Map<string, number>();
	for (const event of events) {
		const { type, client, stats } = (event ?? {}) as GostEvent;
		const open = stats?.currentConns;
		if (type !== 'stats' || typeof client !== 'string' || !Number.isSafeInteger(open)) continue;
		openOf.set(client, (openOf.get(client) ?? 0) + Math.max(0, open as number));
	}
	return Array.from(openOf, ([username, open]) => ({ username, open: Math.min(open, MAX_CONNECTIONS) }));
}
