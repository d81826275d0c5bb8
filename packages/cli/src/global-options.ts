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
	/** Seconds. */
	readonly settle?: number;
	readonly soleWriter?: boolean;
	/** MiB. */
	readonly maxList?: number;
}

const LONGEST_SECONDS = 86_400;
/** The longest string in JavaScript. */
const MOST_MEBIBYTES = 511;

export function addGlobalOptions(program: Command): void {
	for (const option of [
		new Option('--url <url>', 'base address of the service (default: BURSAR_URL)'),
		new Option('--token-file <file>', 'file that holds the token (default: the token in BURSAR_TOKEN)'),
		new Option('--profile <name>', 'which profile of bursarctl login to use (default: default)').argParser(profileName),
		new Option('--insecure-http', 'send the token over plain http to another machine'),
		jsonOption(),
		new Option('-y, --yes', 'do not ask before money is spent, a key replaced, or a sub-user deleted'),
		new Option('--timeout <seconds>', 'how long a change or a look may take in all (default: 60)').argParser(seconds),
		new Option(
			'--settle <seconds>',
			'how long a change whose answer was lost may still take effect, if the service does not honour expiry (default: 120)',
		).argParser(secondsOrNone),
		new Option(
			'--sole-writer',
			'your promise that nobody else changes these sub-users meanwhile, so that lost answers can be judged',
		),
		new Option('--max-list <MiB>', 'how large the list of all sub-users may be (default: 64)').argParser(mebibytes),
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

function mebibytes(text: string): number {
	const value = Number(text);
	if (!/^\d+$/.test(text) || value < 1 || value > MOST_MEBIBYTES) {
		throw new InvalidArgumentError(`It must be an integer from 1 to ${MOST_MEBIBYTES}.`);
	}
	return value;
}

function seconds(text: string): number {
	const value = secondsOrNone(text);
	if (value === 0) throw new InvalidArgumentError('It must be more than 0.');
	return value;
}

function secondsOrNone(text: string): number {
	const value = Number(text);
	if (!/^\d+(\.\d+)?$/.test(text) || value > LONGEST_SECONDS) {
		throw new InvalidArgumentError(`It must be a number of seconds, at most ${LONGEST_SECONDS}.`);
	}
	return value;
}
