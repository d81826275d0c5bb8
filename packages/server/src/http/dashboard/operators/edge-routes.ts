import type { ListedEdge } from '@bursar/contract/dashboard';
import type { Edge } from '../../../domain/edge.ts';
import type { Calls } from '../calls/calls.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** The proxy hosts, for operators. */
export function operatorEdgeRoutes(calls: Calls, { store }: Pick<DashboardDependencies, 'store'>): void {
	calls.read('/operator/edges', { role: 'operator' }, async () => {
		const edges = await store.listEdges();
		const isRevoked = ({ revokedAtMs }: Edge) => revokedAtMs !== null;
		const ordered = [...edges.filter((edge) => !isRevoked(edge)), ...edges.filter(isRevoked)];
		return { data: { edges: ordered.map(edgeView) } };
	});
}

function edgeView(edge: Edge): ListedEdge {
	return {
		name: edge.name,
		key_tail: edge.keyTail,
		created: time(edge.createdAtMs),
		revoked: timeOrNull(edge.revokedAtMs),
		last_seen: timeOrNull(edge.lastSeenAtMs),
		reported_to: timeOrNull(edge.reportedToMs),
		checks: edge.checks,
		refusals: edge.refusals,
	};
}
