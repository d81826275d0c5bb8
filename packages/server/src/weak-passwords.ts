import { MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';
import { normalizePassword } from './normalize-password.ts';

/**
 * Whether people may not choose the password: it is too short, too long, or among the first guesses.
 * Characters are counted as Unicode code points.
 */
export type IsWeakPassword = (password: string, email: string) => boolean;

/** Loads the most common passwords. This takes tens of milliseconds, in which nothing else is answered. */
export async function loadWeakPasswords(): Promise<IsWeakPassword> {
	const { default: passwords } = await import('@zxcvbn-ts/language-common/src/passwords.json', {
		with: { type: 'json' },
	});
	/** Those that are long enough, in lowercase. */
	const common = new Set(passwords.filter((password) => password.length >= MIN_PASSWORD_CHARACTERS));
	return (password, email) => {
		const normalized = normalizePassword(password);
		if (normalized === undefined || Buffer.byteLength(normalized) > MAX_PASSWORD_BYTES) return true;
		const text = normalized.toLowerCase();
		// A repetition adds nothing: `abcabcabcabc` is as weak as `abc`.
		const characters = Array.from(text.slice(0, periodOf(text)));
		if (characters.length < MIN_PASSWORD_CHARACTERS) return true;
		const [name] = email.split('@');
		if (text === email || text === name || isSequence(characters)) return true;
		return common.has(text);
	};
}

/** The length of the shortest text that makes up the whole text by repetition. */
function periodOf(text: string): number {
	return text === '' ? 0 : `${text}${text}`.indexOf(text, 1);
}

/** Whether each character follows the one before it, upwards or downwards, like `abcdef` or `890123`. */
function isSequence(characters: readonly string[]): boolean {
	const steps = new Set(characters.slice(1).map((character, index) => stepTo(character, characters[index] as string)));
	const [step] = steps;
	return steps.size === 1 && (step === 1 || step === -1);
}

function stepTo(character: string, before: string): number {
	const step = (character.codePointAt(0) as number) - (before.codePointAt(0) as number);
	const isDigits = /\d/.test(character) && /\d/.test(before);
	return isDigits && Math.abs(step) === 9 ? -step / 9 : step;
}
