import { BursarError, isChangeId, newChangeId, type RawAnswer, UnavailableError } from '@bursar/client';
import { CommandError, printExactly, readStandardInput, UsageError } from '@bursar/terminal';
import { Argument, Command } from 'commander';
import { readRegularFile } from '../bulk/files/regular-file.ts';
import { exitCodeOf, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { openSession } from '../session.ts';

interface Options extends GlobalOptions {
	readonly body?: string;
	readonly changeId?: string;
}

/** @bound The body that `bursarctl api` sends: a larger one is refused. The service accepts less. */
const MOST_MEBIBYTES = 1;

/** `bursarctl api` */
export function apiCommand(): Command {
	return new Command('api')
		.description('send one request of the API, for what has no command, and print the body of its answer')
		.addArgument(new Argument('<method>', 'how').choices(['GET', 'POST']))
		.argument('<path>', 'below the address of the service, as /reseller/my_info')
		.option('--body <json>', 'the body: JSON, @FILE for that of a file, or - for standard input')
		.option('--change-id <id>', 'the id of the change (default: a new one for each POST)')
		.addHelpText(
			'after',
			`
It asks nothing, and sends the request once. If the answer to a POST is lost, it says the id
of the change, by which bursarctl change tells what it did.

Example:
  $ bursarctl api GET /reseller/my_info
  $ bursarctl api POST /reseller/sub_users/view_single --body '{"username":"alice"}'
`,
		)
		.action((method: 'GET' | 'POST', path: string, _options: unknown, command: Command) =>
			callApi(method, path, command.optsWithGlobals()),
		);
}

async function callApi(method: 'GET' | 'POST', path: string, options: Options): Promise<void> {
	const isPost = method === 'POST';
	if (!/^\/(?!\/)[!-~]*$/.test(path)) throw new UsageError('the path must begin with one slash, as /reseller/my_info');
	if (!isPost && (options.body ?? options.changeId) !== undefined) {
		throw new UsageError('--body and --change-id only go with POST');
	}
	const { changeId = newChangeId() } = options;
	if (!isChangeId(changeId)) throw new UsageError('the id of a change has 16 to 64 characters of A-Z a-z 0-9 - _');
	const { client, interrupts } = openSession(options);
	const signal = interrupts.stop;
	const body = options.body === undefined ? undefined : parsed(await textOf(options.body, signal));
	signal.throwIfAborted();
	if (isPost) interrupts.changeBegins();
	const answer = await client
		.rawRequest(method, path, body, {
			signal,
			...(isPost && { changeId }),
			...(options.timeout !== undefined && { timeoutMs: options.timeout * 1000 }),
		})
		.catch((error: unknown) => {
			if (!isPost || !isLost(error, signal)) throw error;
			throw lost(error instanceof Error ? error.message : String(error), changeId);
		});
	await print(answer, isPost, changeId);
}

/** Prints the body also if the service refused the request: it says why. */
async function print({ status, text, code, requestId }: RawAnswer, isPost: boolean, changeId: string): Promise<void> {
	const isDone = status >= 200 && status < 300;
	try {
		// On a terminal, what follows begins on a line of its own.
		const isPrinted = await printExactly(process.stdout.isTTY ? `${text}\n` : text);
		if (isDone && isPost && !isPrinted) throw new Error('the reader of its result is gone');
	} catch (cause) {
		if (!isDone || !isPost) throw cause;
		const why = `it was done, but ${(cause as Error).message}: do not repeat it`;
		throw new CommandError('output_failed', why, exitCodes.outcomeUnknown);
	}
	if (isDone) return;
	const message = `the service answered ${[status, code].filter(Boolean).join(' ')}`;
	// A proxy can fail after the service has done it.
	if (isPost && (code === 'outcome_unknown' || (code === undefined && status >= 500))) throw lost(message, changeId);
	throw new CommandError(code ?? 'unexpected_answer', message, exitCodeOf(status, code), {
		status,
		...(requestId && { request_id: requestId }),
	});
}

/** After a signal or a broken connection, the request may have arrived. */
function isLost(error: unknown, signal: AbortSignal): boolean {
	return signal.aborted || (error instanceof BursarError && !(error instanceof UnavailableError));
}

function lost(why: string, changeId: string): CommandError {
	const message = `whether the request took effect is not known: ${why}`;
	return new CommandError('outcome_unknown', message, exitCodes.outcomeUnknown, { known: { change_id: changeId } });
}

/** The text of `--body`. */
async function textOf(given: string, signal: AbortSignal): Promise<string> {
	if (given === '-') {
		const text = await readStandardInput(MOST_MEBIBYTES * 1024 ** 2, signal);
		if (text === undefined) throw new UsageError(`standard input is larger than ${MOST_MEBIBYTES} MiB`);
		return text;
	}
	if (!given.startsWith('@')) return given;
	const bytes = readRegularFile(given.slice(1), MOST_MEBIBYTES);
	if (bytes === undefined)
		throw new UsageError(`${given.slice(1)} does not exist. Nothing was sent`, 'unreadable_file');
	return bytes.toString('utf8');
}

/** The error does not repeat the text, which may hold a secret. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new UsageError('the body must be JSON. Nothing was sent');
	}
}
