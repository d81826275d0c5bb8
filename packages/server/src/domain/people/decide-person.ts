import { decideMail } from '../mail/decide-mail.ts';
import { decideEdgeCreation, decideEdgeJoin, decideEdgeLink, decideEdgeRevocation } from '../operators/decide-edge.ts';
import {
	decideEndOfAllSessions,
	decideLock,
	decideRemoval,
	decideReset,
	decideRole,
	decideUnlock,
} from '../operators/decide-operators-change.ts';
import { decideUsageCorrection } from '../operators/decide-usage-correction.ts';
import { decideVerification } from '../operators/decide-verification.ts';
import { resellerOf } from './caller.ts';
import { decideClaim, decideClaimLink } from './decide-claim.ts';
import { decideAcceptance, decideInvitation } from './decide-invitation.ts';
import { decideOwnChange } from './decide-own-change.ts';
import { decideFailure, decideReturn, decideSignIn, decideSignOut, decideTries } from './decide-sign-in.ts';
import type { PersonCommand } from './person-command.ts';
import { DONE, type PersonDecision } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';

/**
 * The rules about people: decides one command. Pure. `facts` are what `personNeedsOf` asks for. `nowMs` is in Unix
 * milliseconds. Throws only if the input is impossible.
 */
export function decidePerson(facts: PersonFacts, command: PersonCommand, nowMs: number): PersonDecision {
	const { outcome, effects } = decideCommand(facts, command, nowMs);
	const act = 'commandLine' in command ? command.commandLine : undefined;
	// What changes nothing, like a second end of a key, was not done.
	if (!act || effects.length === 0) return { outcome, effects };
	const reseller = resellerOf(facts, command);
	return { outcome, effects: [...effects, { kind: 'record_act', act: { ...act, reseller, atMs: nowMs } }] };
}

function decideCommand(facts: PersonFacts, command: PersonCommand, nowMs: number): PersonDecision {
	switch (command.kind) {
		case 'invite_person':
			return decideInvitation(facts, command, nowMs);
		case 'make_claim':
			return decideClaimLink(facts, command, nowMs);
		case 'reset_person':
			return decideReset(facts, command, nowMs);
		case 'lock_person':
			return decideLock(facts, command, nowMs);
		case 'unlock_person':
			return decideUnlock(facts, command, nowMs);
		case 'remove_person':
			return decideRemoval(facts, command, nowMs);
		case 'set_role':
			return decideRole(facts, command, nowMs);
		case 'end_all_sessions':
			return decideEndOfAllSessions(facts);
		case 'count_try':
			return decideTries(facts, command, nowMs);
		case 'return_try':
			return decideReturn(facts, command);
		case 'accept_invitation':
			return decideAcceptance(facts, command, nowMs);
		case 'claim':
			return decideClaim(facts, command, nowMs);
		case 'sign_in':
			return decideSignIn(facts, command, nowMs);
		case 'record_failure':
			return decideFailure(facts, command, nowMs);
		case 'import_usage':
			return {
				outcome: DONE,
				effects: [{ kind: 'record_act', act: { ...command.recorded, reseller: null, atMs: nowMs } }],
			};
		case 'sign_out':
			return decideSignOut(facts, command);
		case 'begin_verification':
			return decideVerification(facts, command, nowMs);
		case 'create_edge':
			return decideEdgeCreation(facts, command, nowMs);
		case 'link_edge':
			return decideEdgeLink(facts, command, nowMs);
		case 'join_edge':
			return decideEdgeJoin(facts, command, nowMs);
		case 'revoke_edge':
			return decideEdgeRevocation(facts, command, nowMs);
		case 'correct_usage':
			return decideUsageCorrection(facts, command, nowMs);
		case 'take_mails':
		case 'end_try':
		case 'raise_alarm':
		case 'end_alarm':
		case 'stop_mail':
			return decideMail(facts, command, nowMs);
		default:
			return decideOwnChange(facts, command, nowMs);
	}
}
