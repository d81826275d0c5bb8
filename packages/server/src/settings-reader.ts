import { openSecretFile, readBoundedFile } from '@bursar/terminal';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * No URL with a secret is longer.
 * @bound A file with a secret: the service does not start with a longer one.
 */
const MAX_SECRET_BYTES = 4_096;

/** Reads settings, and collects what is wrong with them. A setting that is wrong counts as one that is not set. */
export interface SettingsReader {
	/** Each begins with a variable. */
	readonly problems: string[];
	/** Whether files with secrets may be open to others. */
	readonly allowOpenKeyFiles: boolean;
	/** Whether a variable is set, or the one that names a file for it. */
	isSet(name: string): boolean;
	/** Whether a variable was read. */
	isKnown(name: string): boolean;
	read<Value>(name: string, fallback: Value, parse: (text: string) => Value): Value;
	/**
	 * Reads a secret from its variable, or from the file that the variable with `_FILE` behind its name names. Only one of
	 * them may be set. `parse` throws errors that show nothing of the text.
	 */
	readSecret<Value>(name: string, parse: (text: string) => Value, parseFile?: ParseFile<Value>): Value | undefined;
}

type ParseFile<Value> = (file: string, mayBeOpen: boolean) => Value;

export function readSettings(environment: Environment): SettingsReader {
	const problems: string[] = [];
	const known = new Set<string>();

	function read<Value>(name: string, fallback: Value, parse: (text: string) => Value): Value {
		known.add(name);
		const text = environment[name];
		if (text === undefined) return fallback;
		try {
			return parse(text);
		} catch (cause) {
			problems.push(`${name}: ${(cause as Error).message}`);
			return fallback;
		}
	}

	const allowOpenKeyFiles = read('BURSAR_ALLOW_OPEN_KEY_FILES', false, boolean);
	return {
		problems,
		allowOpenKeyFiles,
		isSet: (name) => environment[name] !== undefined || environment[`${name}_FILE`] !== undefined,
		isKnown: (name) => known.has(name),
		read,
		readSecret(name, parse, parseFile = (file, mayBeOpen) => parse(secretOfFile(file, mayBeOpen))) {
			const ofFile = `${name}_FILE`;
			const inline = read(name, undefined, parse);
			const inFile = read(ofFile, undefined, (file) => parseFile(file, allowOpenKeyFiles));
			if (environment[name] !== undefined && environment[ofFile] !== undefined) {
				problems.push(`${name} and ${ofFile}: only one of them may be set`);
			}
			return inline ?? inFile;
		},
	};
}

export function nonEmpty(text: string): string {
	if (text.trim() === '') throw new Error('it must not be empty');
	return text;
}

export function boolean(text: string): boolean {
	if (text === '1' || text === 'true') return true;
	if (text === '0' || text === 'false') return false;
	throw new Error('it must be 1 or 0');
}

/** The text of a file with a secret. */
function secretOfFile(file: string, mayBeOpen: boolean): string {
	const bytes = fromSecretFile(file, mayBeOpen, () => readBoundedFile(file, MAX_SECRET_BYTES));
	if (!bytes) throw new Error('the file is too long');
	return bytes.toString('utf8').trim();
}

/** Reads a file with a secret. Throws if it is open to others unless it may be. The error shows nothing of the file. */
export function fromSecretFile<Read>(file: string, mayBeOpen: boolean, read: () => Read): Read {
	try {
		const fault = mayBeOpen ? undefined : openSecretFile(file);
		if (fault !== undefined) throw new Error(fault);
		return read();
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		throw code === undefined ? cause : new Error(`the file cannot be read (${code})`);
	}
}
