/** Looks like a token, and is too long for a username. A token pasted in a wrong place would come back in messages. */
const TOKEN = /brs_[0-9A-Za-z]{29,}/g;
/** The password in a database URL, also in one with `:/` from a path. The example in our own messages is left alone. */
const PASSWORD = /(postgres(?:ql)?:\/+[^:@/\s]*):(?!password@)[^\s/]*@/g;

/** Removes these secrets from the text, and everything that looks like a token or a database password. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	let safe = text;
	// The longest first: if one secret begins with another, the shorter one would leave the end of the longer one.
	for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
		safe = safe.replaceAll(secret, '[redacted]');
	}
	return safe.replace(TOKEN, 'brs_[redacted]').replace(PASSWORD, '$1:***@');
}
