import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { normalizePassword } from './normalize-password.ts';

/** The cost of new hashes: 19 MiB and two passes, as OWASP recommends. */
const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** Compared with the passwords of people who have none, so that every try costs the same. */
const NOBODYS_HASH = phc(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/**
 * A hash of the password for the store: argon2id in the PHC format. Throws if the password is too long. Only tests hash
 * at another cost. A hash says what it costs, so it is always verified at its own.
 */
export async function hashPassword(password: string, cost = COST): Promise<string> {
	const message = normalizePassword(password);
	if (message === undefined) throw new Error('a password is too long');
	const salt = randomBytes(SALT_BYTES);
	return phc(cost, salt, await argon2id({ message, nonce: salt, tagLength: HASH_BYTES, ...cost }));
}

/** Whether it is the password of this hash. Without a hash, or if it is too long, it is not, at the same cost. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
	const [, memory, passes, parallelism, salt = '', expected = ''] = PHC.exec(hash ?? NOBODYS_HASH) ?? [];
	if (memory === undefined) throw new Error('a password hash in the store is malformed');
	const message = normalizePassword(password);
	const expectedBytes = Buffer.from(expected, 'base64');
	const computed = await argon2id({
		message: message ?? '',
		nonce: Buffer.from(salt, 'base64'),
		tagLength: expectedBytes.length,
		memory: Number(memory),
		passes: Number(passes),
		parallelism: Number(parallelism),
	});
	return timingSafeEqual(computed, expectedBytes) && hash !== undefined && message !== undefined;
}

/** `memory` is in KiB. */
export type PasswordCost = Readonly<Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>>;

function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
	});
}

function phc({ memory, passes, parallelism }: PasswordCost, salt: Buffer, hash: Buffer): string {
	return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
	return bytes.toString('base64').replace(/=+$/, '');
}
