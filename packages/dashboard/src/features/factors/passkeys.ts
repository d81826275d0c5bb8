import type { PasskeyAnswer, PasskeyQuestion } from '@bursar/contract/dashboard';
import {
	type PublicKeyCredentialCreationOptionsJSON,
	type PublicKeyCredentialRequestOptionsJSON,
	startAuthentication,
	startRegistration,
	WebAuthnError,
} from '@simplewebauthn/browser';
import type { FailureText } from '../../calls/failure-texts.ts';
import { passkeyTexts } from './texts.ts';

/** What the browser did with a question: an answer for the service, or why there is none. */
type PasskeyTry = { readonly response: PasskeyAnswer } | { readonly none: FailureText };

/** Has the browser answer a question: with one of the person's passkeys (`use`), or with a new one (`make`). */
export function answerWithPasskey(question: PasskeyQuestion, how: 'use' | 'make'): Promise<PasskeyTry> {
	const options: unknown = question;
	return attempt(() =>
		how === 'use'
			? startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })
			: startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
	);
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
