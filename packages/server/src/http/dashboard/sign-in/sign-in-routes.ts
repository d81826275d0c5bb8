import { normalizeEmail, type Presence } from '@bursar/contract/dashboard';
import type { BodyOf } from '../calls/bodies.ts';
import type { Call, Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { verifyPasswordFactor } from '../factors/password-factor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { counted } from './sign-in-results.ts';
import { countStrangersTry, tryKey } from './throttle.ts';

interface SignInDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'nowMs' | 'signInDone'> {
	readonly sessions: Sessions;
	readonly passkeys: Passkeys;
}

/** What the challenges of a sign-in are made for. */
const PURPOSE = 'sign-in';

export function signInRoutes(calls: Calls, dependencies: SignInDependencies): void {
	const { passkeys } = dependencies;
	calls.openChange('/sign-in', async (body, call) =>
		counted(dependencies, 'password', await withPassword(body, call, dependencies)),
	);
	calls.openChange('/sign-in/passkey/question', async () => ({ data: await passkeys.signInQuestion(PURPOSE) }));
	calls.openChange('/sign-in/passkey', async (body, call) =>
		counted(dependencies, 'passkey', await withPasskey(body, call, dependencies)),
	);
}

/** A try counts before anything is read, and has no turn to compute before it was counted. Each one costs the same. */
async function withPassword(
	body: BodyOf<'/sign-in'>,
	call: Call,
	{ store, bank, sessions, nowMs }: SignInDependencies,
): Promise<Reply<Presence>> {
	const address = sessions.addressOf(call.request);
	const email = normalizeEmail(body.email);
	const account = ['account', email ?? body.email] as const;
	const refused = await countStrangersTry(bank, 'password', address, account);
	if (refused) return refused;
	const known = email === undefined ? undefined : await store.findPersonByEmail(email);
	const verified = await verifyPasswordFactor(known, body, { group: 'strangers', owner: address.site }, nowMs());
	if ('refused' in verified) return verified;
	return sessions.signIn(call, { ...verified, forgives: [tryKey(...account)] });
}

async function withPasskey(
	{ response }: BodyOf<'/sign-in/passkey'>,
	call: Call,
	{ store, bank, sessions, passkeys }: SignInDependencies,
): Promise<Reply<Presence>> {
	const refused = await countStrangersTry(bank, 'passkey', sessions.addressOf(call.request));
	if (refused) return refused;
	const record = await store.findPersonByPasskey(response.id);
	const passkey = record?.passkeys.find(({ id }) => id === response.id);
	const factor = passkey && (await passkeys.verify(response, passkey, PURPOSE));
	if (!record || !factor) return { refused: 'passkey_refused' };
	return sessions.signIn(call, { record, factor });
}
