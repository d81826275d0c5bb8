import type { PasskeyAnswer, PasskeyQuestion } from '@bursar/contract/dashboard';
import {
	type PublicKeyCredentialCreationOptionsJSON,
	type PublicKeyCredentialRequestOptionsJSON,
	startAuthentication,
	startRegistration,
	WebAuthnError,
} from '@simplewebauthn/browser';
import type { FailureText } from '../texts/failures.ts';
import { passkeyTexts } from '../texts/passkeys.ts';

/** What the browser did with a question: an answer for the service, or why there is none. */
export type PasskeyTry = { readonly response: PasskeyAnswer } | { readonly none: FailureText };

/** Has the browser ask the person for one of their passkeys. */
export function askForPasskey(question: PasskeyQuestion): Promise<PasskeyTry> {
	const optionsJSON = question as unknown as PublicKeyCredentialRequestOptionsJSON;
	return attempt(() => startAuthentication({ optionsJSON }));
}

/** Has the browser make a new passkey. */
export function makePasskey(question: PasskeyQuestion): Promise<PasskeyTry> {
	const optionsJSON = question as unknown as PublicKeyCredentialCreationOptionsJSON;
	return attempt(() => startRegistration({ optionsJSON }));
}

async function attempt(ask: () => Promise<object>): Promise<PasskeyTry> {
	try {
		return { response: { ...(await ask()) } };
	} catch (error) {
		return { none: passkeyTexts[reasonOf(error)] };
	}
}

function reasonOf(error: unknown): keyof typeof passkeyTexts {
	if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'exists';
	const { name } = error as Error;
	if (name === 'InvalidStateError') return 'exists';
	return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'unsupported';
}
