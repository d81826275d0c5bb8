/** @bound Characters of a line of imported usage: a longer one is refused. */
const MAX_LINE_CHARACTERS = 64 * 1024;

/**
 * The lines of a byte stream, without their line ends. Yields `undefined` for a line that is too long, so that memory
 * stays bounded.
 */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
	const decoder = new TextDecoder();
	let rest = '';
	let isTooLong = false;
	for await (const chunk of input) {
		const text = rest + decoder.decode(chunk, { stream: true });
		let start = 0;
		for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
			const line = text.slice(start, end);
			yield isTooLong || line.length > MAX_LINE_CHARACTERS ? undefined : line;
			isTooLong = false;
			start = end + 1;
		}
		rest = text.slice(start);
		if (rest.length > MAX_LINE_CHARACTERS) {
			rest = '';
			isTooLong = true;
		}
	}
	rest += decoder.decode();
	if (isTooLong) yield undefined;
	else if (rest !== '') yield rest;
}
