import { redact } from '@bursar/terminal';

/** Shorter texts are too common to redact everywhere. */
const SHORTEST_KEPT = 8;
const SECRET_FIELD = /("(?:proxy_authkey|token)"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** The texts that must not appear in anything that the suite prints or writes. */
export interface Secrets {
	/** Remembers a credential that the suite got, sent or received. */
	keep(secret: string): void;
	/** The text without secrets. Give it the whole text, because half a secret would not be recognised. */
	redact(text: string): string;
}

/** Redacts the `given` secrets even if they are short. */
export function createSecrets(given: readonly string[]): Secrets {
	const known = new Set(given.flatMap(spellings));
	return {
		keep(secret) {
			if (secret.length < SHORTEST_KEPT) return;
			for (const spelling of spellings(secret)) known.add(spelling);
		},
		redact(text) {
			return redact(text.replace(SECRET_FIELD, '$1"[redacted]"'), known);
		},
	};
}

/** Remembers every proxy auth key and every token in a body, even if the body is not JSON. */
export function keepSecrets(secrets: Secrets, body: string): void {
	for (const [, key = ''] of body.matchAll(/"(?:proxy_authkey|token)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) {
		secrets.keep(key);
		try {
			secrets.keep(JSON.parse(`"${key}"`));
		} catch {}
	}
}

/** The secret as it is, and as JSON writes it, because messages show values as JSON. */
function spellings(secret: string): readonly string[] {
	return [secret, JSON.stringify(secret).slice(1, -1)];
}
