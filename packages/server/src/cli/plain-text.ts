import { CommandError } from '@bursar/terminal';

/** Formats that a file of reports may have by mistake: how each begins in hex, and the program that makes it text. */
const FORMATS = [
	{ what: 'compressed with gzip', beginning: /^1f8b/, program: 'gunzip -c' },
	{ what: 'compressed with zstd', beginning: /^28b52ffd/, program: 'zstd -dc' },
	{ what: 'compressed with bzip2', beginning: /^425a683[1-9]314159265359/, program: 'bunzip2 -c' },
	{ what: 'compressed with xz', beginning: /^fd377a585a00/, program: 'xz -dc' },
	{ what: 'a zip archive', beginning: /^504b0304/, program: 'funzip' },
	{ what: 'encoded in UTF-16', beginning: /^(?:fffe|feff)/, program: 'iconv -f UTF-16 -t UTF-8' },
];
/** In bytes. */
const LONGEST_BEGINNING = 10;

/**
 * The bytes of a file, or of standard input (`-`). If they begin like one of the formats, throws an error that says how
 * to convert them.
 */
export async function* plainText(input: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
	let beginning: Buffer | undefined = Buffer.alloc(0);
	for await (const chunk of input) {
		if (beginning === undefined) {
			yield chunk;
			continue;
		}
		beginning = Buffer.concat([beginning, chunk]);
		if (beginning.length < LONGEST_BEGINNING) continue;
		assertPlainText(beginning, file);
		yield beginning;
		beginning = undefined;
	}
	if (beginning === undefined) return;
	assertPlainText(beginning, file);
	yield beginning;
}

function assertPlainText(beginning: Buffer, file: string): void {
	const hex = beginning.toString('hex', 0, LONGEST_BEGINNING);
	const format = FORMATS.find((each) => each.beginning.test(hex));
	if (!format) return;
	const [name, path] = file === '-' ? ['standard input', 'FILE'] : [file, shellWord(file)];
	throw new CommandError(
		'not_plain_text',
		`${name} is ${format.what}, and nothing was counted. To import it: ${format.program} < ${path} | bursar usage import -`,
	);
}

function shellWord(text: string): string {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
