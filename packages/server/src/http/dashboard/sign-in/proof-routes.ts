import type { Presence } from '@bursar/contract/dashboard';
import type { BodyOf } from '@bursar/contract/dashboard-schemas';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import type { PersonCall, Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { verifyPasswordFactor } from '../factors/password-factor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { failedFactor, recordFailure } from './failures.ts';
import { countTry, passwordTries, returnUnusedTry } from './throttle.ts';

interface ProofDependencies extends Pick<DashboardDependencies, 'bank' | 'nowMs'> {
	readonly sessions: Sessions;
	readonly passkeys: Passkeys;
}

/** People prove once more that it is them. */
export function proofRoutes(calls: Calls, dependencies: ProofDependencies): void {
	const { passkeys, sessions } = dependencies;
	calls.change('/proof', async (body, call) => withPassword(body, call, dependencies));
	calls.change('/proof/passkey/question', async (_body, { caller }) => ({
		data: await passkeys.signInQuestion(purposeFor(caller), caller.record.passkeys),
	}));
	calls.change('/proof/passkey', async ({ response }, call) => {
		const { caller } = call;
		const passkey = caller.record.passkeys.find(({ id }) => id === response.id);
		const factor = passkey && (await passkeys.verify(response, passkey, purposeFor(caller)));
		if (!factor) {
			recordFailure(caller.record, { kind: 'failed_proof', target: 'passkey' }, call, dependencies);
			return { refused: 'passkey_refused' };
		}
		return sessions.signIn(call, { record: caller.record, factor, proves: caller });
	});
}

/** The tries and the turns are the person's own: strangers who try to sign in cannot use them up. */
async function withPassword(
	body: BodyOf<'/proof'>,
	call: PersonCall,
	dependencies: ProofDependencies,
): Promise<Reply<Presence>> {
	const { bank, sessions, nowMs } = dependencies;
	const { caller } = call;
	const { id } = caller.record.person;
	const tries = passwordTries('proof', id);
	const refused = await countTry(bank, [tries.of(body)]);
	if (refused) return refused;
	const verified = await verifyPasswordFactor(caller.record, body, { group: 'people', owner: id }, nowMs());
	const answer =
		'refused' in verified
			? verified
			: await sessions.signIn(call, { ...verified, proves: caller, forgives: tries.keys });
	await returnUnusedTry(bank, tries.of(body), answer);
	const target = 'refused' in answer ? failedFactor(answer) : undefined;
	if (target) recordFailure(caller.record, { kind: 'failed_proof', target }, call, dependencies);
	return answer;
}

/** A challenge for a proof is of no use to another session. */
function purposeFor({ session }: SignedIn): string {
	return `proof:${session.hash}`;
}
