import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeEdgeKey } from '@bursar/contract/secret-text';
import { CommandError, print, say, UsageError } from '@bursar/terminal';
import { Command } from 'commander';
import { createEdgeClient, type EdgeClient } from '../agent/edge-client.ts';
import { environmentWith } from './environment-file.ts';
import { isLoopback, type JoinLink, parseJoinLink, readLinkLine } from './join-link.ts';
import { ownerOfKey, readStagedKey, type StagedFile, stageFile } from './staged-file.ts';

interface Options {
	readonly keyFile: string;
	readonly settingsFile: string;
	readonly replace?: true;
}

const KEY_FILE = '/etc/bursar-edge/key';
const SETTINGS_FILE = '/etc/bursar-edge/bursar-edge.env';
/** @bound Tries of `bursar-edge join`, a second apart: then it ends with an error. */
const TRIES = 5;
const PAUSE_MS = 1_000;

/** `bursar-edge join`: makes the key of this edge, and gives it to the service. */
export function joinCommand(): Command {
	return new Command('join')
		.description('make the key of this proxy host, with a link from "bursar edge create"')
		.argument('<link>', 'the link, or - to read it from standard input')
		.option('--key-file <file>', 'where the key is written', KEY_FILE)
		.option('--settings-file <file>', 'where the address of the service is written', SETTINGS_FILE)
		.option('--replace', 'replace a key that is there')
		.addHelpText(
			'after',
			`
Others on this machine can see arguments while a command runs. The link is worth nothing once it was used. If the command
was interrupted, run it again with the same link.

Examples:
  $ bursar-edge join 'https://edge.bursar.example/join#SECRET'
  $ bursar-edge join -
`,
		)
		.action(run);
}

async function run(argument: string, options: Options): Promise<void> {
	const link = parseJoinLink(argument === '-' ? await readLinkLine(process.stdin) : argument);
	const keyFile = resolve(options.keyFile);
	const settingsFile = resolve(options.settingsFile);
	if (keyFile === settingsFile) throw new UsageError('--key-file and --settings-file: they must be two files');
	if (existsSync(keyFile) && !options.replace) {
		throw new CommandError('key_exists', `${keyFile}: there is a key already; --replace replaces it; nothing was done`);
	}
	if (link.url.protocol === 'http:' && !isLoopback(link.url)) {
		say('The link is plain http: others on the network in between can read the key.');
	}
	const linkName = hash('sha256', link.secret, 'hex').slice(0, 8);
	// Both files are on disk before the service knows the key. So a crash loses no key that is in use.
	const key = readStagedKey(keyFile, linkName) ?? makeEdgeKey(randomBytes);
	const values = {
		BURSAR_EDGE_URL: link.url.href.replace(/\/$/, ''),
		...(keyFile !== KEY_FILE && { BURSAR_EDGE_KEY_FILE: keyFile }),
	};
	const environment = environmentWith(settingsFile, values);
	const stagedEnvironment = stageFile(settingsFile, environment, linkName, { mode: 0o600 });
	let stagedKey: StagedFile | undefined;
	let edge: string;
	try {
		stagedKey = stageFile(keyFile, `${key}\n`, linkName, ownerOfKey());
		edge = await joinPatiently(link, key);
	} catch (error) {
		stagedEnvironment.discard();
		// If the service may have taken the key, the next try needs it.
		if (!(error instanceof CommandError && error.code === 'join_in_doubt')) stagedKey?.discard();
		throw error;
	}
	// The key file comes last: if it is there, the join is complete.
	stagedEnvironment.commit();
	stagedKey.commit();
	print([
		`This host is the edge ${edge} now. Its key is in ${keyFile}, the address of the service in ${settingsFile}.`,
	]);
}

/** Repeats the join with the same key while its answer is lost. Throws unless the service has taken the key. */
async function joinPatiently(link: JoinLink, key: string): Promise<string> {
	const client = createEdgeClient({ url: link.url, key: () => key });
	try {
		for (let tries = 1; ; tries++) {
			const result = await client.join(link.secret);
			if (result.ok) return result.value;
			const refusal = refusalOf(result);
			if (refusal) throw refusal;
			if (tries === TRIES) throw inDoubt(result);
			await pause(PAUSE_MS);
		}
	} finally {
		client.close();
	}
}

type Failure = Extract<Awaited<ReturnType<EdgeClient['join']>>, { readonly ok: false }>;

/** `undefined` if another try may succeed. */
function refusalOf({ code }: Failure): CommandError | undefined {
	switch (code) {
		case 'unreachable':
		case 'timeout':
		case 'bad_answer':
		case 'unavailable':
		case 'internal_error':
		case 'outcome_unknown':
		case 'request_timeout':
			return undefined;
		case 'invalid_link':
			return new CommandError(
				'invalid_link',
				'the link is not valid: it was used, replaced or revoked, or is older than 24 hours. Make a new one with bursar edge create; nothing was changed here',
			);
		case 'too_many_tries':
			return new CommandError(
				'too_many_tries',
				'too many links from this address were not valid: wait a minute, and run it again; nothing was changed here',
			);
		default:
			return new CommandError('failed', `the service refuses to answer (${code}); nothing was changed here`);
	}
}

function inDoubt({ code, message }: Failure): CommandError {
	return new CommandError(
		'join_in_doubt',
		`the service has not answered (${code}, ${message}), so this host may have joined or not: run the same command again with the same link, which goes on with the same key`,
	);
}
