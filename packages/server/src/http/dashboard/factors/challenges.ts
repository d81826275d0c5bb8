import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const SIGNED_BYTES = NONCE_BYTES + TIME_BYTES;
const SIGNATURE_BYTES = 32;
/** @bound The challenge of a passkey, for one use: then it is refused. */
const CHALLENGE_LIFE_MS = 5 * 60_000;

/** What a passkey answers to. No challenge is stored before it was answered: a signature shows that we made it. */
export interface Challenges {
	/** A new challenge for one purpose. */
	make(purpose: string): Uint8Array<ArrayBuffer>;
	/** A challenge in base64url, if it was made for this purpose less than five minutes ago. It may have been used. */
	read(challenge: string, purpose: string): AnsweredChallenge | undefined;
}

export interface AnsweredChallenge {
	/** SHA-256 of the challenge, base64url. */
	readonly challengeHash: string;
	/** Unix milliseconds. */
	readonly challengeExpiresAtMs: number;
}

/** `key` is the same in all processes, so that each can read the challenges of the others. */
export function createChallenges(key: Uint8Array, nowMs: () => number): Challenges {
	function signatureOf(signed: Uint8Array, purpose: string): Buffer {
		return createHmac('sha256', key).update(signed).update(purpose).digest();
	}

	return {
		make(purpose) {
			const time = Buffer.alloc(TIME_BYTES);
			time.writeUIntBE(nowMs(), 0, TIME_BYTES);
			const signed = Buffer.concat([randomBytes(NONCE_BYTES), time]);
			return Uint8Array.from(Buffer.concat([signed, signatureOf(signed, purpose)]));
		},
		read(challenge, purpose) {
			const bytes = Buffer.from(challenge, 'base64url');
			if (bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return undefined;
			const signed = bytes.subarray(0, SIGNED_BYTES);
			if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), signatureOf(signed, purpose))) return undefined;
			const madeAtMs = bytes.readUIntBE(NONCE_BYTES, TIME_BYTES);
			// The clock of another process may be a little ahead.
			if (Math.abs(nowMs() - madeAtMs) >= CHALLENGE_LIFE_MS) return undefined;
			return {
				challengeHash: hash('sha256', bytes, 'base64url'),
				challengeExpiresAtMs: madeAtMs + CHALLENGE_LIFE_MS,
			};
		},
	};
}
