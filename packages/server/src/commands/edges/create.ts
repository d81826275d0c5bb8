import { EDGE_LINK_MS, isEdgeName, MAX_EDGES } from '../../domain/edge.ts';
import type { PersonFacts } from '../../domain/people/person-facts.ts';
import { type CallersCommand, callersVerb, DONE, type Done, refused } from '../person-verb.ts';

export interface CreateEdge extends CallersCommand {
	readonly kind: 'create_edge';
	readonly name: string;
	readonly keyHash: string;
	readonly keyTail: string;
}

export interface LinkEdge extends CallersCommand {
	readonly kind: 'link_edge';
	readonly name: string;
	/** Replaces the previous link of the edge. */
	readonly linkHash: string;
}

interface EdgeLinked {
	readonly ok: true;
	readonly expiresAtMs: number;
}

type NewEdgeRefusal = 'invalid_edge_name' | 'edge_exists' | 'too_many_edges';

/** Makes an edge, or gives a revoked one a new key. */
export const createEdge = callersVerb<CreateEdge, Done, NewEdgeRefusal>({
	kind: 'create_edge',
	calls: ['/operator/edges/create'],
	needs: ({ name }) => edgeNeeds(name),
	decide(facts, { name, keyHash, keyTail }, nowMs) {
		const refusal = refusalOfNewEdge(facts, name);
		if (refusal) return refused(refusal);
		return {
			outcome: DONE,
			effects: [{ kind: 'set_edge_key', edge: { name, keyHash, keyTail, createdAtMs: nowMs } }],
		};
	},
});

/** Makes an edge without a key, or takes a revoked one back, with a link by which its host gives it a key. */
export const linkEdge = callersVerb<LinkEdge, EdgeLinked, NewEdgeRefusal>({
	kind: 'link_edge',
	calls: ['/operator/edges/link'],
	needs: ({ name }) => edgeNeeds(name),
	decide(facts, { name, linkHash }, nowMs) {
		const refusal = refusalOfNewEdge(facts, name);
		if (refusal) return refused(refusal);
		const linkExpiresAtMs = nowMs + EDGE_LINK_MS;
		return {
			outcome: { ok: true, expiresAtMs: linkExpiresAtMs },
			effects: [{ kind: 'set_edge_link', edge: { name, linkHash, linkExpiresAtMs, createdAtMs: nowMs } }],
		};
	},
});

/** A text that cannot be the name of an edge is not looked up. */
export function edgeNeeds(name: string): { readonly edge?: string } {
	return isEdgeName(name) ? { edge: name } : {};
}

/** An edge that has a key must be revoked first. One that waits for its host to join can be made anew. */
function refusalOfNewEdge({ edge, edges }: PersonFacts, name: string): NewEdgeRefusal | undefined {
	if (!isEdgeName(name)) return 'invalid_edge_name';
	if (edge && edge.keyHash !== null) return 'edge_exists';
	return !edge && edges >= MAX_EDGES ? 'too_many_edges' : undefined;
}
