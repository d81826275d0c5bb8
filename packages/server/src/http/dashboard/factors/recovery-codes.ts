import { randomBytes } from 'node:crypto';
import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { hashSecret } from '../../../credentials.ts';
import { RECOVERY_CODES } from '../../../domain/people/person.ts';
import type { Reply } from '../calls/call.ts';

/** 32 digits and letters without `i`, `l`, `o` and `u`, as in Crockford's base32. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** New recovery codes like `abcd-efgh-jkmn`, of 60 random bits each, with the hashes that the store keeps. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly string[] } {
	const codes = Array.from({ length: RECOVERY_CODES }, newCode);
	return { codes: codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')), hashes: codes.map(hashSecret) };
}

/** The hash of a typed recovery code, or `undefined` if the text has not the form of one. */
export function hashTypedRecoveryCode(typed: string): string | undefined {
	const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
	return FORM.test(code) ? hashSecret(code) : undefined;
}

function newCode(): string {
	// 256 is a multiple of 32, so every character is equally likely.
	return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** The answer of a change that may have made recovery codes, with the account after it. */
export function withRecoveryCodes(codes: readonly string[], account: Reply<Account>): Reply<NewRecoveryCodes> {
	return 'refused' in account ? account : { data: { recovery_codes: codes, account: account.data } };
}
