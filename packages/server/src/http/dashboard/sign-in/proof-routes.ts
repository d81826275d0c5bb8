import type { Presence } from '@bursar/contract/dashboard';
import type { SignedIn } from '../../../store/dashboard-reads.ts';
import type { BodyOf } from '../calls/bodies.ts';
import type { PersonsQuestion, Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { verifyPasswordFactor } from '../factors/password-factor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { countTry, tryKey } from './throttle.ts';

interface ProofDependencies extends Pick<DashboardDependencies, 'bank' | 'nowMs'> {
	readonly sessions: Sessions;
	readonly passkeys: Passkeys;
}

/** People prove once more that it is them. */
export function proofRoutes(calls: Calls, dependencies: ProofDependencies): void {
	const { passkeys, sessions } = dependencies;
	const needs = { withoutFactor: true };
	calls.change('/proof', needs, async (body, question) => withPassword(body, question, dependencies));
	calls.change('/proof/passkey/question', needs, async (_body, { asker }) => ({
		data: await passkeys.signInQuestion(purposeFor(asker), asker.record.passkeys),
	}));
	calls.change('/proof/passkey', needs, async ({ response }, question) => {
		const { asker } = question;
		const passkey = asker.record.passkeys.find(({ id }) => id === response.id);
		const factor = passkey && (await passkeys.verify(response, passkey, purposeFor(asker)));
		if (!factor) return { refused: 'passkey_refused' };
		return sessions.signIn(question, { record: asker.record, factor, proves: asker });
	});
}

/** The tries and the turns are the person's own: strangers who try to sign in cannot use them up. */
async function withPassword(
	body: BodyOf<'/proof'>,
	question: PersonsQuestion,
	{ bank, sessions, nowMs }: ProofDependencies,
): Promise<Reply<Presence>> {
	const { asker } = question;
	const { id } = asker.record.person;
	const proof = ['proof', id] as const;
	const refused = await countTry(bank, [proof]);
	if (refused) return refused;
	const verified = await verifyPasswordFactor(asker.record, body, { group: 'people', owner: id }, nowMs());
	if ('refused' in verified) return verified;
	return sessions.signIn(question, { ...verified, proves: asker, forgives: [tryKey(...proof)] });
}

/** A challenge for a proof is of no use to another session. */
function purposeFor({ session }: SignedIn): string {
	return `proof:${session.hash}`;
}
