import { joinUrl, newLink } from '../../../credentials.ts';
import type { Edge } from '../../../domain/edge.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { refusedBy } from '../refusals.ts';
import { time, timeOrNull } from '../times.ts';

/** The proxy hosts. The edge listener notices a change within about a second. */
export function edgeCalls(calls: Calls, { store, edgeUrl }: Pick<OperatorDependencies, 'store' | 'edgeUrl'>): void {
	calls.answer('viewEdges', async () => ({ data: (await store.listEdges()).map(edgeView) }));

	calls.answer('linkEdge', async ({ name }, call) => {
		// First, because a link that was made must be told.
		const url = edgeUrl();
		if (url === undefined) return { refused: 'no_edge_url' };
		const { secret, linkHash } = newLink();
		const outcome = await call.changePerson({ kind: 'link_edge', name, linkHash });
		if (!outcome.ok) return refusedBy(outcome);
		return { data: { name, link: joinUrl(url, secret), expires_at: time(outcome.expiresAtMs) } };
	});

	calls.answer('revokeEdge', async ({ name }, call) => {
		const outcome = await call.changePerson({ kind: 'revoke_edge', name });
		return outcome.ok ? { data: { name } } : refusedBy(outcome);
	});
}

function edgeView(edge: Edge) {
	const { name, keyHash, keyTail, createdAtMs, revokedAtMs, linkExpiresAtMs, lastSeenAtMs, reportedToMs } = edge;
	return {
		name,
		key_tail: keyTail,
		date_created: time(createdAtMs),
		revoked_since: timeOrNull(revokedAtMs),
		link_expires_at: keyHash === null ? timeOrNull(linkExpiresAtMs) : null,
		last_seen: timeOrNull(lastSeenAtMs),
		reported_to: timeOrNull(reportedToMs),
		checks: edge.checks,
		refusals: edge.refusals,
	};
}
