import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyQuestion } from '@bursar/contract/dashboard';

/** The options of a question, as far as the authenticator reads them. */
interface Question {
	readonly challenge: string;
	readonly rpId?: string;
	readonly rp?: { readonly id: string };
	readonly user?: { readonly id: string };
}

/** What a hostile or broken authenticator does differently. */
interface Deviation {
	readonly origin?: string;
	readonly site?: string;
	readonly challenge?: string;
	readonly type?: string;
	readonly withoutUserVerification?: boolean;
	readonly userHandle?: string;
	/** Signs with another key. */
	readonly wrongKey?: boolean;
	/** Adds an attestation that nobody asked for. */
	readonly attestation?: 'packed' | 'fido-u2f';
	/** What the browser says about the page, besides the usual. */
	readonly said?: { readonly crossOrigin?: unknown; readonly topOrigin?: string };
	/** Registers this key (COSE) instead of its own. */
	readonly key?: ReadonlyMap<number, Cbor>;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A passkey (ES256) that answers as a browser and its authenticator would, at one origin. */
export function softwarePasskey(origin: string) {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const id = randomBytes(32).toString('base64url');
	let userHandle: string | undefined;
	let counter = 0;

	function clientData(question: Question, deviation: Deviation, type: string): Buffer {
		const { challenge = question.challenge, origin: from = origin, said } = deviation;
		const usual = { type: deviation.type ?? type, challenge, origin: from, crossOrigin: false };
		return Buffer.from(JSON.stringify({ ...usual, ...said }));
	}

	function authenticatorData(site: string, deviation: Deviation, credential?: Buffer): Buffer {
		const flags =
			USER_PRESENT | (deviation.withoutUserVerification ? 0 : USER_VERIFIED) | (credential ? HAS_CREDENTIAL : 0);
		const head = Buffer.alloc(5);
		head.writeUInt8(flags, 0);
		head.writeUInt32BE(++counter, 1);
		return Buffer.concat([sha256(deviation.site ?? site), head, credential ?? Buffer.alloc(0)]);
	}

	return {
		id,
		/** Answers a question for a new passkey. */
		create(asked: PasskeyQuestion, deviation: Deviation = {}) {
			const question = asked as unknown as Question;
			userHandle = question.user?.id;
			const rawId = Buffer.from(id, 'base64url');
			const length = Buffer.alloc(2);
			length.writeUInt16BE(rawId.length);
			const credential = Buffer.concat([Buffer.alloc(16), length, rawId, cbor(deviation.key ?? coseKey(publicKey))]);
			const authData = authenticatorData(question.rp?.id ?? '', deviation, credential);
			const client = clientData(question, deviation, 'webauthn.create');
			const attestation = deviation.attestation ?? 'none';
			const statement =
				attestation === 'none'
					? new Map()
					: new Map<string, Cbor>([
							['sig', randomBytes(70)],
							['alg', -7],
						]);
			const object = new Map<string, Cbor>([
				['fmt', attestation],
				['attStmt', statement],
				['authData', authData],
			]);
			return {
				id,
				rawId: id,
				type: 'public-key',
				response: {
					clientDataJSON: client.toString('base64url'),
					attestationObject: cbor(object).toString('base64url'),
					transports: ['internal', 'hybrid', 'made-up'],
				},
				clientExtensionResults: {},
			};
		},
		/** Answers a question for a passkey that exists. */
		get(asked: PasskeyQuestion, deviation: Deviation = {}) {
			const question = asked as unknown as Question;
			const authData = authenticatorData(question.rpId ?? '', deviation);
			const client = clientData(question, deviation, 'webauthn.get');
			const key = deviation.wrongKey ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey;
			const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), key);
			return {
				id,
				rawId: id,
				type: 'public-key',
				response: {
					clientDataJSON: client.toString('base64url'),
					authenticatorData: authData.toString('base64url'),
					signature: signature.toString('base64url'),
					userHandle: deviation.userHandle ?? userHandle ?? null,
				},
				clientExtensionResults: {},
			};
		},
	};
}

function sha256(data: string | Buffer): Buffer {
	return createHash('sha256').update(data).digest();
}

/** A key of P-256, Ed25519 or RSA as authenticators write it (RFC 9053, section 7; RFC 8230, section 4). */
export function coseKey(publicKey: KeyObject): ReadonlyMap<number, Cbor> {
	const { kty, x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
	const bytes = (text: string) => Buffer.from(text, 'base64url');
	if (kty === 'RSA') return new Map<number, Cbor>([...kind(3, -257), [-1, bytes(n)], [-2, bytes(e)]]);
	if (kty === 'OKP') return new Map<number, Cbor>([...kind(1, -8), [-1, 6], [-2, bytes(x)]]);
	return new Map<number, Cbor>([...kind(2, -7), [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]);
}

function kind(type: number, algorithm: number): readonly (readonly [number, Cbor])[] {
	return [
		[1, type],
		[3, algorithm],
	];
}

type Cbor = number | string | Buffer | ReadonlyMap<string | number, Cbor>;

/** Encodes what passkeys need (RFC 8949). */
function cbor(value: Cbor): Buffer {
	if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
	if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
	if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
	return Buffer.concat([cborHead(5, value.size), ...Array.from(value).flat().map(cbor)]);
}

function cborHead(kind: number, size: number): Buffer {
	if (size < 24) return Buffer.from([(kind << 5) | size]);
	if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
	return Buffer.from([(kind << 5) | 25, size >> 8, size & 0xff]);
}
