import { isIP } from 'node:net';
import type { PasskeyQuestion } from '@bursar/contract/dashboard';
import type { NewPasskeyAnswer, SignedAnswer } from '@bursar/contract/dashboard-schemas';
import {
	generateAuthenticationOptions,
	generateRegistrationOptions,
	verifyAuthenticationResponse,
	verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { AddPasskey } from '../../../commands/people/passkeys.ts';
import type { VerifiedFactor } from '../../../commands/people/sign-in.ts';
import type { Passkey, Person } from '../../../domain/people/person.ts';
import type { AnsweredChallenge, Challenges } from './challenges.ts';
import { ALGORITHMS, isSoundKey } from './passkey-keys.ts';

const TIMEOUT_MS = 5 * 60_000;
const TRANSPORTS: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

type PasskeyFactor = Extract<VerifiedFactor, { kind: 'passkey' }>;
type NewPasskey = Omit<AddPasskey['passkey'], 'name'> & AnsweredChallenge;

/** Asks browsers for passkeys, and verifies their answers. Users must be verified, for example by a fingerprint. */
export interface Passkeys {
	/** Without passkeys, any one of this site can answer. */
	signInQuestion(purpose: string, passkeys?: readonly Passkey[]): Promise<PasskeyQuestion>;
	/** `undefined` if the answer is not valid. The rules refuse an answer that was used before. */
	verify(answer: SignedAnswer, passkey: Passkey, purpose: string): Promise<PasskeyFactor | undefined>;
	newPasskeyQuestion(purpose: string, person: Person, passkeys: readonly Passkey[]): Promise<PasskeyQuestion>;
	verifyNew(answer: NewPasskeyAnswer, purpose: string): Promise<NewPasskey | undefined>;
}

export function createPasskeys(
	challenges: Challenges,
	publicUrl: () => string,
	serviceName: () => Promise<string>,
): Passkeys {
	const site = () => new URL(publicUrl()).hostname;
	const described = (passkeys: readonly Passkey[]) =>
		passkeys.map(({ id, transports }) => ({ id, transports: [...transports] }));

	/** What both kinds of answers are checked for. */
	function expected(read: (answered: AnsweredChallenge) => void, purpose: string) {
		return {
			expectedOrigin: publicUrl(),
			expectedRPID: site(),
			requireUserVerification: true,
			expectedChallenge(challenge: string) {
				const answered = challenges.read(challenge, purpose);
				if (answered) read(answered);
				return answered !== undefined;
			},
		};
	}

	return {
		async signInQuestion(purpose, passkeys) {
			const options = await generateAuthenticationOptions({
				rpID: site(),
				challenge: challenges.make(purpose),
				userVerification: 'required',
				timeout: TIMEOUT_MS,
				...(passkeys && { allowCredentials: described(passkeys) }),
			});
			return { ...options };
		},
		async verify({ id, rawId, type, response }, passkey, purpose) {
			const { userHandle, ...signed } = response;
			if (userHandle && userHandle !== userHandleOf(passkey.person)) return undefined;
			let answered: AnsweredChallenge | undefined;
			const verification = await orUndefined(() =>
				verifyAuthenticationResponse({
					...expected((challenge) => (answered = challenge), purpose),
					response: { id, rawId, type, response: signed, clientExtensionResults: {} },
					credential: {
						id: passkey.id,
						publicKey: isoBase64URL.toBuffer(passkey.publicKey),
						counter: passkey.counter,
					},
				}),
			);
			if (!answered || !verification?.verified || isFramed(response.clientDataJSON)) return undefined;
			return { kind: 'passkey', id: passkey.id, counter: verification.authenticationInfo.newCounter, ...answered };
		},
		async newPasskeyQuestion(purpose, { id, email }, passkeys) {
			const options = await generateRegistrationOptions({
				rpName: await serviceName(),
				rpID: site(),
				userID: new TextEncoder().encode(id),
				userName: email,
				challenge: challenges.make(purpose),
				timeout: TIMEOUT_MS,
				excludeCredentials: described(passkeys),
				authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
				supportedAlgorithmIDs: ALGORITHMS,
			});
			return { ...options };
		},
		async verifyNew({ id, rawId, type, response }, purpose) {
			let answered: AnsweredChallenge | undefined;
			const verification = await orUndefined(() =>
				verifyRegistrationResponse({
					...expected((challenge) => (answered = challenge), purpose),
					supportedAlgorithmIDs: ALGORITHMS,
					response: {
						id,
						rawId,
						type,
						clientExtensionResults: {},
						response: {
							clientDataJSON: response.clientDataJSON,
							attestationObject: withoutAttestation(response.attestationObject),
						},
					},
				}),
			);
			if (!answered || !verification?.verified || isFramed(response.clientDataJSON)) return undefined;
			const { credential } = verification.registrationInfo;
			const isSound = await orUndefined(async () => isSoundKey(credential.publicKey));
			if (credential.id !== id || !isSound) return undefined;
			return {
				id,
				publicKey: isoBase64URL.fromBuffer(credential.publicKey),
				counter: credential.counter,
				transports: TRANSPORTS.filter((known) => response.transports?.includes(known)),
				...answered,
			};
		},
	};
}

/** Whether browsers offer passkeys at this origin: not to plain http, and not to addresses. */
export function passkeysWorkAt(publicUrl: string): boolean {
	const { protocol, hostname } = new URL(publicUrl);
	const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
	return isLocal || (protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['));
}

/**
 * Whether the browser says that the page was in a frame of another origin (WebAuthn, section 13.4.9). Ours never are. The
 * library lets it pass if the browser does not say of which origin.
 */
function isFramed(clientDataJSON: string): boolean {
	const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON);
	return crossOrigin !== false || topOrigin !== undefined;
}

/** How passkeys name the person (WebAuthn, `user.id`). */
function userHandleOf(person: string): string {
	return Buffer.from(person).toString('base64url');
}

/**
 * Who made the authenticator does not matter, so its certificates are dropped unread: verifying them could make the
 * service load lists of revoked ones from addresses that the answer names.
 */
function withoutAttestation(attestationObject: string): string {
	const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
	const none = new Map<string, Parameters<typeof isoCBOR.encode>[0]>()
		.set('fmt', 'none')
		.set('attStmt', new Map())
		.set('authData', authData);
	return isoBase64URL.fromBuffer(isoCBOR.encode(none));
}

/** The library throws if an answer is not valid, whatever is wrong with it. */
async function orUndefined<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
	try {
		return await verify();
	} catch {
		return undefined;
	}
}
