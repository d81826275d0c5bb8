import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

/** What a passkey may sign with, as COSE numbers it: EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257];
/** The least that is not weak (NIST SP 800-131A), in bits. */
const MIN_RSA_BITS = 2048;
/**
 * Twice what an RSA key of 4096 bits takes.
 * @bound The key of a passkey: a longer one is refused.
 */
const MAX_KEY_BYTES = 1_200;

// Labels and values of COSE (RFC 9053, section 7; RFC 8230, section 4).
const [KEY_TYPE, ALGORITHM] = [1, 3];
const [FIRST, SECOND, THIRD] = [-1, -2, -3];
const [OKP, EC2, RSA] = [1, 2, 3];
const [P256, ED25519] = [1, 6];

/**
 * Whether a new passkey's key is one that its algorithm can trust. The library looks at a key only when it verifies a
 * signature. Throws if it cannot be read at all.
 */
export function isSoundKey(publicKey: Uint8Array<ArrayBuffer>): boolean {
	if (publicKey.length > MAX_KEY_BYTES) return false;
	const jwk = jwkOf(decodeCredentialPublicKey(publicKey) as unknown as ReadonlyMap<number, unknown>);
	return jwk !== undefined && isStrong(createPublicKey({ key: jwk, format: 'jwk' }));
}

function isStrong({ asymmetricKeyDetails: details }: KeyObject): boolean {
	if (details?.modulusLength === undefined) return true;
	return details.modulusLength >= MIN_RSA_BITS && (details.publicExponent ?? 0n) > 1n;
}

/** `undefined` if the key is none of the algorithm that it names. Node refuses points that are not on their curve. */
function jwkOf(cose: ReadonlyMap<number, unknown>): JsonWebKeyInput['key'] | undefined {
	const kind = [cose.get(ALGORITHM), cose.get(KEY_TYPE)].join();
	const curve = cose.get(FIRST);
	if (kind === `-7,${EC2}` && curve === P256) {
		return { kty: 'EC', crv: 'P-256', x: textOf(cose.get(SECOND)), y: textOf(cose.get(THIRD)) };
	}
	if (kind === `-8,${OKP}` && curve === ED25519) return { kty: 'OKP', crv: 'Ed25519', x: textOf(cose.get(SECOND)) };
	if (kind === `-257,${RSA}`) return { kty: 'RSA', n: textOf(cose.get(FIRST)), e: textOf(cose.get(SECOND)) };
	return undefined;
}

function textOf(bytes: unknown): string {
	return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64url') : '';
}
