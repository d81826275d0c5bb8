import { statSync } from 'node:fs';
import { readTokenFile, UsageError } from '@bursar/terminal';
import { warn } from './output/tell.ts';

/**
 * The reseller's token, from a file or from the environment. Never from an argument: those can be seen
 * by everybody on the machine, and stay in the history of the shell.
 */
export function readToken(file: string | undefined, asJson: boolean | undefined): string {
	const token = file === undefined ? process.env.BURSAR_TOKEN : tokenIn(file, asJson);
	if (token) return token;
	const why = file === undefined ? 'set BURSAR_TOKEN, or give --token-file' : `${file} is empty`;
	throw new UsageError(`the token is missing: ${why}`, 'missing_token');
}

/** Throws where somebody gives the token itself, without saying it again. */
export function refuseTokenArgument(args: readonly string[]): void {
	if (!args.some((arg) => arg === '--token' || arg.startsWith('--token='))) return;
	throw new UsageError(
		'there is no --token: arguments can be seen by everybody on the machine. Set BURSAR_TOKEN, or give --token-file',
	);
}

function tokenIn(file: string, asJson: boolean | undefined): string {
	if (file === '-') {
		throw new UsageError('the token is not read from standard input, where answers to questions come from');
	}
	let token: string | undefined;
	try {
		if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
			warn('token_file_mode', `others on this machine can read or change ${file}: chmod 600 it`, asJson);
		}
		token = readTokenFile(file);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		// Somebody may have given the token in place of the file's name.
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
