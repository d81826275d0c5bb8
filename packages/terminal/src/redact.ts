/** What looks like a token, and more like one than any username: pasted in a wrong place, it comes back in messages. */
const TOKEN = /brs_[0-9A-Za-z]{29,}/g;
/** The password in the URL of a database, also if that was taken for a path; but not in the form that we ask for. */
const PASSWORD = /(postgres(?:ql)?:\/+[^:@/\s]*):(?!password@)[^\s/]*@/g;

/** The text without these secrets, and without what looks like a token or the password of a database. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	let safe = text;
	// The longest first: one that begins with another would leave its end behind.
	for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
		safe = safe.replaceAll(secret, '[redacted]');
	}
	return safe.replace(TOKEN, 'brs_[redacted]').replace(PASSWORD, '$1:***@');
}
