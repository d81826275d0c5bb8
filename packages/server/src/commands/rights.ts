import { CALLS, type DashboardChanges, refusalOfRight } from '@bursar/contract/dashboard';
import { isLiveSession, type Person, provenUntilMs, type Session } from '../domain/people/person.ts';

/** The calls of the dashboard that give a command. */
export type Calls = readonly (keyof DashboardChanges)[];

/**
 * Whether a person may give a command, and for this reseller: who may make one of its calls may. The routes ask before they
 * give it, and the rules once more when they decide it, because the role may have changed meanwhile.
 */
export function mayGive(
	person: Pick<Person, 'reseller' | 'role'>,
	calls: Calls,
	reseller: string | null | undefined,
): boolean {
	const isOwn = person.reseller === null || reseller === undefined || reseller === person.reseller;
	return isOwn && calls.some((call) => refusalOfRight(person, CALLS[call].right) === undefined);
}

/**
 * Why the session of a person does not allow a command any more at the time of the decision. A page's request may have
 * waited, and the session may have ended meanwhile.
 */
export function refusalOfSession(
	session: Session | undefined,
	calls: Calls,
	nowMs: number,
): 'signed_out' | 'proof_required' | undefined {
	if (!session || !isLiveSession(session, nowMs)) return 'signed_out';
	return calls.some((call) => CALLS[call].proof) && provenUntilMs(session, nowMs) === null
		? 'proof_required'
		: undefined;
}
