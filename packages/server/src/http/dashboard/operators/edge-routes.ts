import type { ListedEdge } from '@bursar/contract/dashboard';
import { joinUrl, newEdgeKey, newLink } from '../../../credentials.ts';
import type { Edge } from '../../../domain/edge.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface EdgeDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'edgeUrl'> {
	readonly sessions: Sessions;
}

/** The proxy hosts, for operators. */
export function operatorEdgeRoutes(calls: Calls, { store, bank, edgeUrl, sessions }: EdgeDependencies): void {
	calls.read('/operator/edges', async () => {
		const edges = await store.listEdges();
		const isRevoked = ({ revokedAtMs }: Edge) => revokedAtMs !== null;
		const ordered = [...edges.filter((edge) => !isRevoked(edge)), ...edges.filter(isRevoked)];
		return { data: { edges: ordered.map(edgeView), edge_url: edgeUrl() ?? null } };
	});

	// The edge listener notices a change within about a second.
	calls.change('/operator/edges/link', async ({ act, name }, call) => {
		// First, because a link that was made must be shown.
		const url = edgeUrl();
		if (url === undefined) return { refused: 'no_edge_url' };
		const { secret, linkHash } = newLink();
		const by = ownChange(call, sessions, { act, kind: 'link_edge', target: name });
		const outcome = await bank.changePerson({ kind: 'link_edge', name, linkHash, by });
		if (!outcome.ok) return refusedBy(outcome);
		return { data: { name, link: joinUrl(url, secret), expires: time(outcome.expiresAtMs) } };
	});

	calls.change('/operator/edges/create', async ({ act, name }, call) => {
		const { key, ...kept } = newEdgeKey();
		const by = ownChange(call, sessions, { act, kind: 'create_edge', target: name });
		const outcome = await bank.changePerson({ kind: 'create_edge', name, ...kept, by });
		return outcome.ok ? { data: { name, key } } : refusedBy(outcome);
	});

	calls.change('/operator/edges/revoke', async ({ act, name }, call) => {
		const by = ownChange(call, sessions, { act, kind: 'revoke_edge', target: name });
		const outcome = await bank.changePerson({ kind: 'revoke_edge', name, by });
		return outcome.ok ? { data: {} } : refusedBy(outcome);
	});
}

function edgeView(edge: Edge): ListedEdge {
	return {
		name: edge.name,
		key_tail: edge.keyTail,
		created: time(edge.createdAtMs),
		revoked: timeOrNull(edge.revokedAtMs),
		link_expires: edge.keyHash === null ? timeOrNull(edge.linkExpiresAtMs) : null,
		last_seen: timeOrNull(edge.lastSeenAtMs),
		reported_to: timeOrNull(edge.reportedToMs),
		checks: edge.checks,
		refusals: edge.refusals,
	};
}
