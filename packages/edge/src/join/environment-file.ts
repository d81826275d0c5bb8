import { CommandError, readBoundedFile } from '@bursar/terminal';

/** @bound The file of settings that `bursar-edge join` changes: a longer one is refused. */
const MOST_BYTES = 64 * 1024;

/**
 * The text of an environment file of systemd: the lines of the present file, with these values replaced or added. Throws
 * `CommandError` if the file cannot be read, or has a key of its own.
 */
export function environmentWith(file: string, values: Readonly<Record<string, string>>): string {
	const lines = linesOf(file);
	if (lines.some((line) => nameOf(line) === 'BURSAR_EDGE_KEY')) {
		throw new CommandError(
			'key_exists',
			`${file}: it sets BURSAR_EDGE_KEY: remove that line, because the key is in a file from now on; nothing was done`,
		);
	}
	const kept = lines.filter((line) => !Object.hasOwn(values, nameOf(line) ?? ''));
	const added = Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`);
	return `${[...kept, ...added].join('\n')}\n`;
}

function linesOf(file: string): readonly string[] {
	try {
		const text = readBoundedFile(file, MOST_BYTES)?.toString('utf8');
		if (text === undefined) throw new Error('it is too long');
		return text === '' ? [] : text.replace(/\n$/, '').split('\n');
	} catch (cause) {
		const { code, message } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return [];
		throw new CommandError('failed', `${file}: it cannot be read (${code ?? message}); nothing was done`);
	}
}

function nameOf(line: string): string | undefined {
	return /^\s*([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
}

/** As systemd reads it. */
function quoted(value: string): string {
	return /^[\w:/.[\]-]+$/.test(value) ? value : `"${value.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
