import { DONE, type Done, type PersonVerb, refused } from '../person-verb.ts';

export interface JoinEdge {
	readonly kind: 'join_edge';
	readonly name: string;
	readonly linkHash: string;
	readonly keyHash: string;
	readonly keyTail: string;
}

/**
 * Uses the link of an edge: the key is the edge's from now on. The link stays after its use: if the answer is lost, the
 * host repeats the join with the key that it has made, which changes nothing.
 */
export const joinEdge: PersonVerb<JoinEdge, Done, 'invalid_link'> = {
	kind: 'join_edge',
	calls: [],
	owner: ({ linkHash }) => linkHash,
	needs: ({ name, keyHash }) => ({ edge: name, edgeKey: keyHash }),
	decide({ edge, isEdgeKeyTaken }, { name, linkHash, keyHash, keyTail }, nowMs) {
		if (!edge || edge.linkHash !== linkHash) return refused('invalid_link');
		if (edge.keyHash === keyHash) return { outcome: DONE, effects: [] };
		const isOver = edge.linkExpiresAtMs === null || nowMs >= edge.linkExpiresAtMs;
		if (edge.keyHash !== null || isOver || isEdgeKeyTaken) return refused('invalid_link');
		return { outcome: DONE, effects: [{ kind: 'join_edge', name, keyHash, keyTail }] };
	},
};
