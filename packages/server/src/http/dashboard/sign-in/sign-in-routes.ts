import { normalizeEmail, type Presence } from '@bursar/contract/dashboard';
import type { BodyOf } from '@bursar/contract/dashboard-schemas';
import type { PersonRecord } from '../../../domain/people/person.ts';
import type { PasswordTurn } from '../../../password-turns.ts';
import type { Call, Reply } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { Refused } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { verifyPasswordFactor } from '../factors/password-factor.ts';
import type { KnownBrowsers } from '../sessions/known-browsers.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { failedFactor, recordFailure } from './failures.ts';
import { counted } from './sign-in-results.ts';
import { countStrangersTry, countTry, passwordTries, returnUnusedTry, type Try } from './throttle.ts';

interface SignInDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'nowMs' | 'signInDone'> {
	readonly sessions: Sessions;
	readonly knownBrowsers: Pick<KnownBrowsers, 'find'>;
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

async function withPassword(
	body: BodyOf<'/sign-in'>,
	call: Call,
	dependencies: SignInDependencies,
): Promise<Reply<Presence>> {
	const { bank, sessions, nowMs } = dependencies;
	const counting = await countPassword(body, call, dependencies);
	if ('refused' in counting) return counting;
	const { known, turn, forgives } = counting;
	const verified = await verifyPasswordFactor(known, body, turn, nowMs());
	const answer = 'refused' in verified ? verified : await sessions.signIn(call, { ...verified, forgives });
	await returnUnusedTry(bank, counting.tried, answer);
	const target = 'refused' in answer ? failedFactor(answer) : undefined;
	if (known && target) recordFailure(known, { kind: 'failed_sign_in', target }, call, dependencies);
	return answer;
}

/** A try that was counted: whose password it is, if there is such a person, and whose turn. */
interface CountedPassword {
	readonly known: PersonRecord | undefined;
	/** Of the account or the browser. */
	readonly tried: Try;
	readonly turn: PasswordTurn;
	readonly forgives: readonly string[];
}

/**
 * A try counts before anything is read, and has no turn to compute before it was counted. Each one costs the same. In a
 * browser that is known only its own tries count.
 */
async function countPassword(
	body: BodyOf<'/sign-in'>,
	{ request }: Call,
	{ store, bank, sessions, knownBrowsers }: SignInDependencies,
): Promise<CountedPassword | Refused> {
	const email = normalizeEmail(body.email);
	const browser = email === undefined ? undefined : knownBrowsers.find(request, email);
	let known: PersonRecord | undefined;
	if (email !== undefined && browser) {
		const tries = passwordTries('browser', browser.id);
		const refused = await countTry(bank, [tries.of(body)]);
		if (refused) return refused;
		known = await store.findPersonByEmail(email);
		if (known && browser.isOf(known.person)) {
			const turn = { group: 'people', owner: known.person.id } as const;
			return { known, tried: tries.of(body), turn, forgives: tries.keys };
		}
	}
	const address = sessions.addressOf(request);
	const tries = passwordTries('account', email ?? body.email);
	const refused = await countStrangersTry(bank, 'password', address, tries.of(body));
	if (refused) return refused;
	if (email !== undefined) known ??= await store.findPersonByEmail(email);
	const turn = { group: 'strangers', owner: address.site } as const;
	return { known, tried: tries.of(body), turn, forgives: tries.keys };
}

async function withPasskey(
	{ response }: BodyOf<'/sign-in/passkey'>,
	call: Call,
	dependencies: SignInDependencies,
): Promise<Reply<Presence>> {
	const { store, bank, sessions, passkeys } = dependencies;
	const refused = await countStrangersTry(bank, 'passkey', sessions.addressOf(call.request));
	if (refused) return refused;
	const record = await store.findPersonByPasskey(response.id);
	const passkey = record?.passkeys.find(({ id }) => id === response.id);
	const factor = passkey && (await passkeys.verify(response, passkey, PURPOSE));
	if (record && !factor) {
		recordFailure(record, { kind: 'failed_sign_in', target: 'passkey' }, call, dependencies);
	}
	if (!record || !factor) return { refused: 'passkey_refused' };
	return sessions.signIn(call, { record, factor });
}
