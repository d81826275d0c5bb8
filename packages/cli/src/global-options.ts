import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JsonForm } from './output/json.ts';
import { isProfileName } from './profiles/profile-file.ts';

/** The options that every command takes, before or after its name. */
export interface GlobalOptions {
	readonly url?: string;
	readonly tokenFile?: string;
	readonly profile?: string;
	readonly insecureHttp?: boolean;
	readonly json?: JsonForm;
	readonly yes?: boolean;
	/** Seconds. */
	readonly timeout?: number;
}

/** @bound `--timeout`: a longer time is refused. */
const LONGEST_SECONDS = 86_400;

export function addGlobalOptions(program: Command): void {
	for (const option of [
		new Option('--url <url>', 'base address of the service (default: BURSAR_URL)'),
		new Option('--token-file <file>', 'file that holds the token (default: the token in BURSAR_TOKEN)'),
		new Option('--profile <name>', 'which profile of bursarctl login to use (default: default)').argParser(profileName),
		new Option('--insecure-http', 'send the token over plain http to another machine'),
		jsonOption(),
		new Option('-y, --yes', 'do not ask before money is spent, a key replaced, or a sub-user deleted'),
		new Option('--timeout <seconds>', 'how long a change or a look may take in all (default: 60)').argParser(seconds),
	]) {
		program.addOption(option);
	}
}

function jsonOption(): Option {
	const option = new Option('--json [fields]', 'print JSON, for scripts: all fields, or only these').argParser(
		jsonForm,
	);
	option.flags = '--json[=fields]';
	return option;
}

function jsonForm(text: string): JsonForm {
	return text === '' || text.split(',').map((name) => name.trim());
}

function profileName(text: string): string {
	if (isProfileName(text)) return text;
	throw new InvalidArgumentError('It must have 1 to 32 of a-z 0-9 . _ - and begin with a letter or digit.');
}

function seconds(text: string): number {
	const value = Number(text);
	if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= LONGEST_SECONDS) return value;
	throw new InvalidArgumentError(`It must be a number of seconds, more than 0 and at most ${LONGEST_SECONDS}.`);
}
