const LINE_END = 10;

/** Splits bytes into lines, whatever the bytes are. The characters of a line are its bytes (latin1). */
export interface LineSplitter {
	/** The lines that these bytes complete, without their ends. */
	push(bytes: Uint8Array): readonly string[];
}

/** Of a longer line, only the beginning is kept. */
export function createLineSplitter(maxLength: number): LineSplitter {
	let begun = '';
	return {
		push(bytes) {
			const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			const lines: string[] = [];
			let from = 0;
			for (let end = view.indexOf(LINE_END); end >= 0; end = view.indexOf(LINE_END, from)) {
				lines.push(begun + view.toString('latin1', from, Math.min(end, from + maxLength - begun.length)));
				begun = '';
				from = end + 1;
			}
			begun += view.toString('latin1', from, Math.min(view.length, from + maxLength - begun.length));
			return lines;
		},
	};
}
