import { type CallersCommand, callersVerb, DONE, type Done, refused } from '../person-verb.ts';
import { edgeNeeds } from './create.ts';

export interface RevokeEdge extends CallersCommand {
	readonly kind: 'revoke_edge';
	readonly name: string;
}

/** Ends the key of an edge, and its link. An edge that was revoked before stays as it is. */
export const revokeEdge = callersVerb<RevokeEdge, Done, 'unknown_edge'>({
	kind: 'revoke_edge',
	calls: ['/operator/edges/revoke'],
	needs: ({ name }) => edgeNeeds(name),
	decide({ edge }, { name }, nowMs) {
		if (!edge) return refused('unknown_edge');
		const isRevoked = edge.revokedAtMs !== null;
		return { outcome: DONE, effects: isRevoked ? [] : [{ kind: 'revoke_edge', name, revokedAtMs: nowMs }] };
	},
});
