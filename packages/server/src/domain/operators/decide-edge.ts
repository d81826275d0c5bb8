import { isEdgeName, MAX_EDGES } from '../edge.ts';
import { decideForOperator } from '../people/caller.ts';
import { DONE, type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import type { CreateEdge, RevokeEdge } from './operator-command.ts';

export function decideEdgeCreation(facts: PersonFacts, command: CreateEdge, nowMs: number): PersonDecision<CreateEdge> {
	const { edge, edges } = facts;
	const { name, keyHash, keyTail } = command;
	return decideForOperator(facts, command, nowMs, () => {
		if (!isEdgeName(name)) return refused('invalid_edge_name');
		if (edge && edge.revokedAtMs === null) return refused('edge_exists');
		if (!edge && edges >= MAX_EDGES) return refused('too_many_edges');
		return {
			outcome: DONE,
			effects: [{ kind: 'set_edge_key', edge: { name, keyHash, keyTail, createdAtMs: nowMs } }],
		};
	});
}

/** An edge that was revoked before stays as it is. */
export function decideEdgeRevocation(
	facts: PersonFacts,
	command: RevokeEdge,
	nowMs: number,
): PersonDecision<RevokeEdge> {
	const { edge } = facts;
	const { name } = command;
	return decideForOperator(facts, command, nowMs, () => {
		if (!edge) return refused('unknown_edge');
		const isRevoked = edge.revokedAtMs !== null;
		return { outcome: DONE, effects: isRevoked ? [] : [{ kind: 'revoke_edge', name, revokedAtMs: nowMs }] };
	});
}
