import type { FailedFactor } from '@bursar/contract/dashboard';
import { newId } from '../../../credentials.ts';
import type { PersonRecord } from '../../../domain/people/person.ts';
import type { Call } from '../calls/call.ts';
import type { Refused } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { tryKey } from './throttle.ts';

/**
 * How many failures of one person are recorded: others decide how often they try.
 * @bound Failed sign-ins and proofs of one person that are recorded as acts: further ones are not recorded, and none
 * of unknown addresses.
 */
const RECORDED = { burst: 10, intervalMs: 6 * 60_000 };

interface FailureDependencies extends Pick<DashboardDependencies, 'bank'> {
	readonly sessions: Pick<Sessions, 'addressOf'>;
}

/**
 * Records a try that failed as an act of its person, who then sees it. No answer waits for this, so that its time does not
 * tell whether there is such a person.
 */
export function recordFailure(
	{ person }: Pick<PersonRecord, 'person'>,
	{ kind, target }: { readonly kind: 'failed_sign_in' | 'failed_proof'; readonly target: FailedFactor },
	{ request }: Pick<Call, 'request'>,
	{ bank, sessions }: FailureDependencies,
): void {
	const address = sessions.addressOf(request).text;
	void bank.changePerson({
		kind: 'record_failure',
		failed: { id: newId(), kind, target, requestId: request.id, person: person.id, address },
		key: tryKey('recorded', person.id),
		limit: RECORDED,
	});
}

/** What was wrong with a password and its code; `undefined` if that is not why it was refused. */
export function failedFactor({ refused }: Refused): FailedFactor | undefined {
	if (refused === 'wrong_credentials') return 'password';
	return refused === 'wrong_code' ? 'code' : undefined;
}
