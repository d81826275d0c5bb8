import { decideEdgeCreation, decideEdgeRevocation } from '../operators/decide-edge.ts';
import { decideEndOfAllSessions, decideLock, decideReset, decideUnlock } from '../operators/decide-operators-change.ts';
import { decideUsageCorrection } from '../operators/decide-usage-correction.ts';
import { decideVerification } from '../operators/decide-verification.ts';
import { decideAcceptance, decideInvitation } from './decide-invitation.ts';
import { decideOwnChange } from './decide-own-change.ts';
import { decideSignIn, decideSignOut, decideTries } from './decide-sign-in.ts';
import type { PersonCommand } from './person-command.ts';
import type { PersonDecision } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';

/**
 * The rules about people: decides one command. Pure. `facts` are what `personNeedsOf` asks for. `nowMs` is in Unix
 * milliseconds. Throws only if the input is impossible.
 */
export function decidePerson(facts: PersonFacts, command: PersonCommand, nowMs: number): PersonDecision {
	switch (command.kind) {
		case 'invite_person':
			return decideInvitation(facts, command, nowMs);
		case 'reset_person':
			return decideReset(facts, command, nowMs);
		case 'lock_person':
			return decideLock(facts, command, nowMs);
		case 'unlock_person':
			return decideUnlock(facts, command, nowMs);
		case 'end_all_sessions':
			return decideEndOfAllSessions(facts);
		case 'count_try':
			return decideTries(facts, command, nowMs);
		case 'accept_invitation':
			return decideAcceptance(facts, command, nowMs);
		case 'sign_in':
			return decideSignIn(facts, command, nowMs);
		case 'sign_out':
			return decideSignOut(facts, command);
		case 'begin_verification':
			return decideVerification(facts, command, nowMs);
		case 'create_edge':
			return decideEdgeCreation(facts, command, nowMs);
		case 'revoke_edge':
			return decideEdgeRevocation(facts, command, nowMs);
		case 'correct_usage':
			return decideUsageCorrection(facts, command, nowMs);
		default:
			return decideOwnChange(facts, command, nowMs);
	}
}
