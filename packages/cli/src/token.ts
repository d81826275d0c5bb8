import { statSync } from 'node:fs';
import { readTokenFile, UsageError } from '@bursar/terminal';
import type { JsonForm } from './output/json.ts';
import { warn } from './output/tell.ts';

/**
 * The reseller's token, from a file or from the environment. Never from an argument: all users of the machine can see
 * arguments, and the shell stores them in its history.
 */
export function readToken(file: string | undefined, asJson: JsonForm | undefined): string {
	const token = file === undefined ? process.env.BURSAR_TOKEN : tokenIn(file, asJson);
	if (token) return token;
	const why = file === undefined ? 'set BURSAR_TOKEN, or give --token-file' : `${file} is empty`;
	throw new UsageError(`the token is missing: ${why}`, 'missing_token');
}

/** Throws if an argument holds the token itself. The error does not repeat it. */
export function refuseTokenArgument(args: readonly string[]): void {
	if (!args.some((arg) => arg === '--token' || arg.startsWith('--token='))) return;
	throw new UsageError(
		'there is no --token: everybody on the machine can see arguments. Set BURSAR_TOKEN, or give --token-file',
	);
}

function tokenIn(file: string, asJson: JsonForm | undefined): string {
	if (file === '-') {
		throw new UsageError('the token cannot come from standard input, which is for answers to questions');
	}
	let token: string | undefined;
	try {
		if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
			warn('token_file_mode', `others on this machine can read or change ${file}: chmod 600 it`, asJson);
		}
		token = readTokenFile(file);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		// The caller may have given the token instead of the file's name.
		if (code === 'ENOENT' || code === 'ENAMETOOLONG') {
			throw new UsageError('the file that --token-file names does not exist', 'unreadable_file');
		}
		throw new UsageError(`${file} cannot be read (${code})`, 'unreadable_file');
	}
	if (token === undefined) {
		throw new UsageError(`${file} must hold the token and nothing else: one word of visible ASCII characters`);
	}
	return token;
}
