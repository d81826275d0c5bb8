import { type Bursar, NotPermittedError } from '@bursar/client';
import {
	ask,
	askSecret,
	CommandError,
	isTerminal,
	printRecord,
	printTable,
	readStandardInput,
	say,
	UsageError,
} from '@bursar/terminal';
import { Command } from 'commander';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { watchInterrupts } from '../interrupts.ts';
import { printJson, printsFields } from '../output/json.ts';
import { warn } from '../output/tell.ts';
import { DEFAULT_PROFILE, profileNames, readProfile, removeProfile, writeProfile } from '../profiles/profile-file.ts';
import { openClient } from '../session.ts';

/** `bursarctl login` */
export function loginCommand(): Command {
	const command = new Command('login')
		.description('keep the address of a service and your token, which is asked for, in a profile')
		.addHelpText('after', '\nExample:\n  $ bursarctl login --url https://bursar.example\n')
		.action((_options: unknown, action: Command) => login(action.optsWithGlobals()));
	return printsFields(command, ['profile', 'url', 'username']);
}

/** `bursarctl logout` */
export function logoutCommand(): Command {
	const command = new Command('logout')
		.description('remove a profile from this machine; its token stays valid')
		.addHelpText('after', '\nExample:\n  $ bursarctl logout --profile test\n')
		.action((_options: unknown, action: Command) => logout(action.optsWithGlobals()));
	return printsFields(command, ['profile']);
}

/** `bursarctl profiles` */
export function profilesCommand(): Command {
	const command = new Command('profiles')
		.description('list the profiles and their services, without tokens')
		.addHelpText('after', '\nExample:\n  $ bursarctl profiles\n')
		.action((_options: unknown, action: Command) => listProfiles(action.optsWithGlobals()));
	return printsFields(command, ['profile', 'url']);
}

/** Keeps only a token that the service accepts. */
async function login(options: GlobalOptions): Promise<void> {
	const { profile = DEFAULT_PROFILE, json, insecureHttp: allowInsecureHttp = false } = options;
	if (options.tokenFile !== undefined) {
		throw new UsageError('login reads the token from the terminal or from standard input, not from --token-file');
	}
	const { stop } = watchInterrupts();
	const url = options.url ?? (process.env.BURSAR_URL || (await askForUrl(stop)));
	openClient({ baseUrl: url, token: 'not-yet-known', allowInsecureHttp });
	const token = isTerminal() ? await askSecret('Token (it is not shown):', stop) : await tokenFromInput(stop);
	if (token === '') throw new UsageError('no token was given. Nothing was kept', 'missing_token');
	const totalTimeoutMs = (options.timeout ?? DEFAULT_SECONDS) * 1000;
	const client = openClient({ baseUrl: url, token, allowInsecureHttp, totalTimeoutMs });
	const username = await usernameOf(client, stop);
	await writeProfile(profile, { url, token });
	if (json) printJson({ profile, url, username: username ?? null }, json);
	else printRecord({ Profile: profile, Service: url, ...(username && { Username: username }) });
	const given = ['BURSAR_URL', 'BURSAR_TOKEN'].find((name) => process.env[name]);
	if (given) warn('profile_unused', `${given} is set, and comes before any profile`, json);
}

/** The reseller's name; `undefined` if the token is good, and lacks the scope that tells it. */
async function usernameOf({ account }: Bursar, signal: AbortSignal): Promise<string | undefined> {
	try {
		return (await account.retrieve({ signal })).username;
	} catch (error) {
		if (error instanceof NotPermittedError && error.code === 'missing_scope') return undefined;
		throw error;
	}
}

const DEFAULT_SECONDS = 60;

async function askForUrl(stop: AbortSignal): Promise<string> {
	const url = isTerminal() ? await ask('Address of the service, such as https://bursar.example:', stop) : '';
	if (url === '') throw new UsageError('the address of the service is missing: give --url');
	return url;
}

async function tokenFromInput(stop: AbortSignal): Promise<string> {
	if (process.stdin.isTTY) throw new UsageError('there is no terminal to ask on: send the token to standard input');
	const text = (await readStandardInput(MOST_TOKEN_BYTES, stop))?.trim();
	if (text !== undefined && /^[!-~]*$/.test(text)) return text;
	throw new UsageError('standard input must hold the token and nothing else: one word of visible ASCII characters');
}

/** @bound Standard input that is read for a token: the command fails. */
const MOST_TOKEN_BYTES = 64 * 1024;

function logout({ profile = DEFAULT_PROFILE, json }: GlobalOptions): void {
	if (!removeProfile(profile)) {
		throw new CommandError('no_profile', `there is no profile ${profile}`, exitCodes.failed);
	}
	if (json) printJson({ profile }, json);
	else say(`The profile ${profile} is removed. Its token stays valid until it is rotated or revoked.`);
}

function listProfiles({ json }: GlobalOptions): void {
	const profiles = profileNames().flatMap((profile) => {
		try {
			const { url } = readProfile(profile) ?? {};
			return url === undefined ? [] : [{ profile, url }];
		} catch (error) {
			if (!(error instanceof UsageError)) throw error;
			warn(error.code, error.message, json);
			return [];
		}
	});
	if (json) printJson(profiles, json);
	else
		printTable(
			[{ title: 'PROFILE' }, { title: 'SERVICE' }],
			profiles.map(({ profile, url }) => [profile, url]),
		);
}
