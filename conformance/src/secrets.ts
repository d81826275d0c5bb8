import { redact } from '@bursar/terminal';

/** Below this length a text is too common to be struck out wherever it stands. */
const SHORTEST_KEPT = 8;
const AUTH_KEY_FIELD = /("proxy_authkey"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** The texts that may stand in nothing that the suite prints or writes. */
export interface Secrets {
	/** Remembers a credential: one that was given to the suite, sent by it, or answered to it. */
	keep(secret: string): void;
	/** The text without any of them. It must be whole: of a secret that was cut in two, the half would stay. */
	redact(text: string): string;
}

/** `given` are struck out however short they are. */
export function createSecrets(given: readonly string[]): Secrets {
	const known = new Set(given.flatMap(spellings));
	return {
		keep(secret) {
			if (secret.length < SHORTEST_KEPT) return;
			for (const spelling of spellings(secret)) known.add(spelling);
		},
		redact(text) {
			return redact(text.replace(AUTH_KEY_FIELD, '$1"[redacted]"'), known);
		},
	};
}

/** Remembers every proxy auth key in a body, whatever else is wrong with it. */
export function keepAuthKeys(secrets: Secrets, body: string): void {
	for (const [, key = ''] of body.matchAll(/"proxy_authkey"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) {
		secrets.keep(key);
		try {
			secrets.keep(JSON.parse(`"${key}"`));
		} catch {}
	}
}

/** A secret as it is, and as it stands in JSON: values are shown in that form. */
function spellings(secret: string): readonly string[] {
	return [secret, JSON.stringify(secret).slice(1, -1)];
}
