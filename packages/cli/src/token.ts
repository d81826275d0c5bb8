import { statSync } from 'node:fs';
import { readTokenFile, UsageError } from '@bursar/terminal';
import type { JsonForm } from './output/json.ts';
import { warn } from './output/tell.ts';

/**
 * The reseller's token, from a file or from the environment. Never from an argument: all users of the machine can see
 * arguments, and the shell stores them in its history.
 */
export function readToken(file: string | undefined, asJson: JsonForm | undefined): string {
	const token = file === undefined ? process.env.BURSAR_TOKEN : secretIn(file, 'token', asJson);
	if (token) return token;
	const why = file === undefined ? 'set BURSAR_TOKEN, or give --token-file' : `${file} is empty`;
	throw new UsageError(`the token is missing: ${why}`, 'missing_token');
}

/** Throws if an argument holds the token, or the secret of a webhook, itself. The error does not repeat it. */
export function refuseSecretArgument(args: readonly string[]): void {
	const what = ['token', 'secret'].find((name) =>
		args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`)),
	);
	if (what === undefined) return;
	const variable = what === 'token' ? 'BURSAR_TOKEN' : 'BURSAR_WEBHOOK_SECRET';
	throw new UsageError(
		`there is no --${what}: everybody on the machine can see arguments. Set ${variable}, or give --${what}-file`,
	);
}

/** The text in the file of `--WHAT-file`: one word. Warns if others can read the file. */
export function secretIn(file: string, what: 'token' | 'secret', asJson: JsonForm | undefined): string {
	if (file === '-') {
		throw new UsageError(`the ${what} cannot come from standard input, which is for answers to questions`);
	}
	let text: string | undefined;
	try {
		if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
			warn(`${what}_file_mode`, `others on this machine can read or change ${file}: chmod 600 it`, asJson);
		}
		text = readTokenFile(file);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		// The caller may have given the secret instead of the file's name.
		if (code === 'ENOENT' || code === 'ENAMETOOLONG') {
			throw new UsageError(`the file that --${what}-file names does not exist`, 'unreadable_file');
		}
		throw new UsageError(`${file} cannot be read (${code})`, 'unreadable_file');
	}
	if (text === undefined) {
		throw new UsageError(`${file} must hold the ${what} and nothing else: one word of visible ASCII characters`);
	}
	return text;
}
