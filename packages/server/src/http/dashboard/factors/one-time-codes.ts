import { generateSecret, generateURI, verifySync } from 'otplib';
import { CODE_STEP_MS } from '../../../domain/people/person.ts';

/** A new secret for one-time codes, in base32, with the URI that apps read from a QR code. It names the service. */
export function newCodesSecret(email: string, service: string): { readonly secret: string; readonly uri: string } {
	const secret = generateSecret();
	// Apps take what stands before a colon for the name.
	const issuer = service.replaceAll(':', ' ').trim();
	return { secret, uri: generateURI({ issuer, label: email, secret }) };
}

/** Whether a typed text has the form of a one-time code. */
export function isOneTimeCode(typed: string): boolean {
	return /^\d{6}$/.test(withoutSpaces(typed));
}

/**
 * The time step of a one-time code: the present one, the one before or the one after. `undefined` if the code is wrong.
 * `nowMs` is in Unix milliseconds.
 */
export function stepOfCode(typed: string, secret: string, nowMs: number): number | undefined {
	if (!isOneTimeCode(typed)) return undefined;
	const result = verifySync({
		secret,
		token: withoutSpaces(typed),
		epoch: Math.floor(nowMs / 1000),
		epochTolerance: CODE_STEP_MS / 1000,
	});
	return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

function withoutSpaces(typed: string): string {
	return typed.replace(/\s/g, '');
}
