/**
 * Text that looks like a token or the key of an edge, and is too long for a username. If a person pastes one into a wrong
 * field, messages would repeat it.
 */
const TOKEN = /(br[se]_)[0-9A-Za-z]{29,}/g;
/** The secret of a link to the dashboard, which is in the fragment of its address. */
const LINK = /(\/invitation#)[\w-]+/g;
/** The password in a database URL, also in one with `:/` from a path. The example in our own messages is left alone. */
const PASSWORD = /(postgres(?:ql)?:\/+[^:@/\s]*):(?!password@)[^\s/]*@/g;

/**
 * Removes these secrets from the text, and everything that looks like a token, the key of an edge, a link or a database
 * password.
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
	// The longest first, with the rest of the word: a secret may be the beginning of another one, or of a token.
	const safe = [...secrets]
		.sort((one, other) => other.length - one.length)
		.reduce((rest, secret) => rest.replace(new RegExp(`${escaped(secret)}[0-9A-Za-z]*`, 'g'), '[redacted]'), text);
	return safe.replace(TOKEN, '$1[redacted]').replace(LINK, '$1[redacted]').replace(PASSWORD, '$1:***@');
}

/** Like `RegExp.escape`, which Node 22 does not have. */
function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
