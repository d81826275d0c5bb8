import { isEdgeName, MAX_EDGES } from '../edge.ts';
import type { CreateEdge, EdgeUse, NoteEdgeUses, RevokeEdge } from './person-command.ts';
import { DONE, type PersonDecision, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';

export function decideEdgeCreation(
	{ edge, edges }: PersonFacts,
	{ name, keyHash, keyTail }: CreateEdge,
	nowMs: number,
): PersonDecision<CreateEdge> {
	if (!isEdgeName(name)) return refused('invalid_edge_name');
	if (edge && edge.revokedAtMs === null) return refused('edge_exists');
	if (!edge && edges >= MAX_EDGES) return refused('too_many_edges');
	return {
		outcome: DONE,
		effects: [{ kind: 'set_edge_key', edge: { name, keyHash, keyTail, createdAtMs: nowMs } }],
	};
}

/** An edge that was revoked before stays as it is. */
export function decideEdgeRevocation(
	{ edge }: PersonFacts,
	{ name }: RevokeEdge,
	nowMs: number,
): PersonDecision<RevokeEdge> {
	if (!edge) return refused('unknown_edge');
	const isRevoked = edge.revokedAtMs !== null;
	return { outcome: DONE, effects: isRevoked ? [] : [{ kind: 'revoke_edge', name, revokedAtMs: nowMs }] };
}

/** In the order of the names, so that all processes lock edges in one order. */
export function decideEdgeUses({ uses }: NoteEdgeUses): PersonDecision<NoteEdgeUses> {
	if (uses.length > MAX_EDGES || !uses.every(isUse)) throw new Error('the uses of edges are not counts');
	const sorted = uses.toSorted((a, b) => (a.name < b.name ? -1 : 1));
	return { outcome: DONE, effects: sorted.map((use) => ({ kind: 'note_edge_use', use })) };
}

function isUse({ seenAtMs, checks, refusals }: EdgeUse): boolean {
	return (
		Number.isSafeInteger(seenAtMs) && [checks, refusals].every((count) => Number.isSafeInteger(count) && count >= 0)
	);
}
