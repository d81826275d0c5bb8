/** @bound Characters of a line of the log of a worker: a longer line is left out. */
const MAX_CHARACTERS = 1 << 20;

/** Passes on whole lines of a text that arrives in pieces, with their ends. What has no end is left out. */
export function createLineReader(take: (line: string) => void) {
	let begun = '';
	let isTooLong = false;

	return {
		push(text: string): void {
			const parts = text.split('\n');
			const rest = parts.pop() ?? '';
			for (const part of parts) {
				if (!isTooLong) take(`${begun}${part}\n`);
				begun = '';
				isTooLong = false;
			}
			begun += rest;
			if (begun.length <= MAX_CHARACTERS) return;
			begun = '';
			isTooLong = true;
		},
	};
}
