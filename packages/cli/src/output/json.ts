import { print, UsageError } from '@bursar/terminal';
import type { Command } from 'commander';

/** `--json`: all fields of each object, or only these. */
export type JsonForm = true | readonly string[];

/** Prints an object, or an array of objects, on one line. */
export function printJson(value: object, form: JsonForm): void {
	print([jsonText(value, form)]);
}

/** A field that was chosen and that the object does not have is `null`. */
export function jsonText(value: object, form: JsonForm): string {
	if (form === true) return JSON.stringify(value);
	const chosen = (fields: Readonly<Record<string, unknown>>) => form.map((name) => [name, fields[name] ?? null]);
	const objects = (Array.isArray(value) ? value : [value]).map((each) => Object.fromEntries(chosen(each)));
	return JSON.stringify(Array.isArray(value) ? objects : objects[0]);
}

/** The fields of what each command prints, and those that only the rows of `--all` have. */
const fieldsOf = new WeakMap<Command, { readonly names: readonly string[]; readonly ofRows: readonly string[] }>();

const WIDEST = 76;

/** Says which fields a command prints with `--json`. Its help lists them. */
export function printsFields(command: Command, names: readonly string[], ofRows: readonly string[] = []): Command {
	fieldsOf.set(command, { names, ofRows });
	const further = ofRows.filter((name) => !names.includes(name));
	const rows = further.length === 0 ? '' : `With --all also:\n${wrapped(further)}`;
	return command.addHelpText('after', `Fields of --json=FIELDS:\n${wrapped(names)}${rows}`);
}

function wrapped(names: readonly string[]): string {
	return names.join(', ').replaceAll(new RegExp(`(.{1,${WIDEST}})(?: |$)`, 'g'), '  $1\n');
}

/** Throws a `UsageError` if a field was chosen that the command does not print. Nothing was sent yet. */
export function refuseUnknownFields(command: Command): void {
	const { json, all, dryRun, left } = command.optsWithGlobals<Forms>();
	if (json === undefined || json === true) return;
	const { names = [], ofRows = [] } = fieldsOf.get(command) ?? {};
	if (names.length === 0) throw new UsageError('this command has no fields to choose: give --json alone');
	if (dryRun || left !== undefined) throw new UsageError('--dry-run and --left print all fields: give --json alone');
	const known = all === undefined ? names : [...new Set([...ofRows, ...names])];
	// A wrong name is not repeated, because it may be a secret at a wrong position.
	if (json.every((name) => known.includes(name))) return;
	throw new UsageError(`--json names a field that is not known. The fields are ${known.join(', ')}`);
}

interface Forms {
	readonly json?: JsonForm;
	readonly all?: string;
	readonly dryRun?: boolean;
	readonly left?: string;
}

/** `--json` takes its fields only after `=`. Otherwise it would take the next word for them. */
export function jsonWithEquals(args: readonly string[]): string[] {
	const end = args.indexOf('--');
	return args.map((arg, index) => (arg === '--json' && (end === -1 || index < end) ? '--json=' : arg));
}
