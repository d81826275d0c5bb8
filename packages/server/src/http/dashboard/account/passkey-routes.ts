import { isReadable, isSeen } from '@bursar/contract/readable';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { newRecoveryCodes, withRecoveryCodes } from '../factors/recovery-codes.ts';
import type { AccountDependencies } from './account-routes.ts';
import { accountAfterChange } from './account-view.ts';

/** @bound Characters of the name of a passkey: a longer one is refused. */
const MAX_NAME_CHARACTERS = 64;
/**
 * In UTF-16, as it was typed: a character may have several parts. More would take long to normalize.
 * @bound Characters of that name as it was typed: a longer one is refused.
 */
const MAX_TYPED_NAME = 4 * MAX_NAME_CHARACTERS;

/** People add, name and remove their passkeys. */
export function passkeyRoutes(calls: Calls, dependencies: AccountDependencies & { readonly passkeys: Passkeys }): void {
	const { bank, sessions, passkeys } = dependencies;

	calls.change('/account/passkeys/question', async (_body, { caller }) => ({
		data: await passkeys.newPasskeyQuestion(purposeFor(caller), caller.record.person, caller.record.passkeys),
	}));

	calls.change('/account/passkeys', async ({ act, name: typedName, response }, call) => {
		const { caller } = call;
		const name = readName(typedName);
		if (name === undefined) return { refused: 'invalid_request' };
		const verified = await passkeys.verifyNew(response, purposeFor(caller));
		if (!verified) return { refused: 'passkey_refused' };
		const { challengeHash, challengeExpiresAtMs, ...passkey } = verified;
		const { codes, hashes } = newRecoveryCodes();
		const outcome = await bank.changePerson({
			kind: 'add_passkey',
			...ownChange(call, sessions, { act, kind: 'add_passkey', target: name }),
			passkey: { ...passkey, name },
			challengeHash,
			challengeExpiresAtMs,
			recoveryCodes: hashes,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return withRecoveryCodes(outcome.madeRecoveryCodes ? codes : [], await accountAfterChange(caller, dependencies));
	});

	calls.change('/account/passkeys/rename', async ({ act, id, name: typedName }, call) => {
		const name = readName(typedName);
		if (name === undefined) return { refused: 'invalid_request' };
		const outcome = await bank.changePerson({
			kind: 'rename_passkey',
			...ownChange(call, sessions, { act, kind: 'rename_passkey', target: name }),
			id,
			name,
		});
		return outcome.ok ? accountAfterChange(call.caller, dependencies) : refusedBy(outcome);
	});

	calls.change('/account/passkeys/remove', async ({ act, id }, call) => {
		const removed = call.caller.record.passkeys.find((passkey) => passkey.id === id);
		const outcome = await bank.changePerson({
			kind: 'remove_passkey',
			...ownChange(call, sessions, { act, kind: 'remove_passkey', target: removed?.name ?? '' }),
			id,
		});
		return outcome.ok ? accountAfterChange(call.caller, dependencies) : refusedBy(outcome);
	});
}

/** A challenge for a new passkey is of no use to another person. */
function purposeFor({ record }: SignedIn): string {
	return `register:${record.person.id}`;
}

/** The name of a passkey, or `undefined` if it is empty, too long, or has characters that nobody can see. */
function readName(typed: string): string | undefined {
	const trimmed = typed.trim();
	if (trimmed.length > MAX_TYPED_NAME) return undefined;
	const name = trimmed.normalize('NFC');
	const length = Array.from(name).length;
	return length <= MAX_NAME_CHARACTERS && isSeen(name) && isReadable(name) ? name : undefined;
}
