import { EDGE_LINK_MS, isEdgeName, MAX_EDGES } from '../edge.ts';
import { decideForCaller } from '../people/caller.ts';
import { DONE, type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import type { CreateEdge, JoinEdge, LinkEdge, RevokeEdge } from './operator-command.ts';

export function decideEdgeCreation(facts: PersonFacts, command: CreateEdge, nowMs: number): PersonDecision<CreateEdge> {
	const { name, keyHash, keyTail } = command;
	return decideForCaller(facts, command, nowMs, () => {
		const refusal = refusalOfNewEdge(facts, name);
		if (refusal) return refused(refusal);
		return {
			outcome: DONE,
			effects: [{ kind: 'set_edge_key', edge: { name, keyHash, keyTail, createdAtMs: nowMs } }],
		};
	});
}

export function decideEdgeLink(facts: PersonFacts, command: LinkEdge, nowMs: number): PersonDecision<LinkEdge> {
	const { name, linkHash } = command;
	return decideForCaller(facts, command, nowMs, () => {
		const refusal = refusalOfNewEdge(facts, name);
		if (refusal) return refused(refusal);
		const linkExpiresAtMs = nowMs + EDGE_LINK_MS;
		return {
			outcome: { ok: true, expiresAtMs: linkExpiresAtMs },
			effects: [{ kind: 'set_edge_link', edge: { name, linkHash, linkExpiresAtMs, createdAtMs: nowMs } }],
		};
	});
}

/** An edge that has a key must be revoked first. One that waits for its host to join can be made anew. */
function refusalOfNewEdge({ edge, edges }: PersonFacts, name: string) {
	if (!isEdgeName(name)) return 'invalid_edge_name';
	if (edge && edge.keyHash !== null) return 'edge_exists';
	return !edge && edges >= MAX_EDGES ? 'too_many_edges' : undefined;
}

/** The link stays after its use: if the answer is lost, the host repeats the join with the key that it has made. */
export function decideEdgeJoin(facts: PersonFacts, command: JoinEdge, nowMs: number): PersonDecision<JoinEdge> {
	const { edge, isEdgeKeyTaken } = facts;
	const { name, linkHash, keyHash, keyTail } = command;
	if (!edge || edge.linkHash !== linkHash) return refused('invalid_link');
	if (edge.keyHash === keyHash) return { outcome: DONE, effects: [] };
	const isOver = edge.linkExpiresAtMs === null || nowMs >= edge.linkExpiresAtMs;
	if (edge.keyHash !== null || isOver || isEdgeKeyTaken) return refused('invalid_link');
	return { outcome: DONE, effects: [{ kind: 'join_edge', name, keyHash, keyTail }] };
}

/** An edge that was revoked before stays as it is. */
export function decideEdgeRevocation(
	facts: PersonFacts,
	command: RevokeEdge,
	nowMs: number,
): PersonDecision<RevokeEdge> {
	const { edge } = facts;
	const { name } = command;
	return decideForCaller(facts, command, nowMs, () => {
		if (!edge) return refused('unknown_edge');
		const isRevoked = edge.revokedAtMs !== null;
		return { outcome: DONE, effects: isRevoked ? [] : [{ kind: 'revoke_edge', name, revokedAtMs: nowMs }] };
	});
}
