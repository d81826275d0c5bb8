/**
 * The body of an answer as text; `undefined` if it is larger than `mostBytes`, counted after decompression.
 * Reading stops there, so no answer can fill the memory.
 */
export async function readBoundedText(response: Response, mostBytes: number): Promise<string | undefined> {
	if (response.body === null) return '';
	const reader = response.body.getReader();
	const decoder = new TextDecoder();
	let text = '';
	for (let bytes = 0; ; ) {
		const { done, value } = await reader.read();
		if (done) return text + decoder.decode();
		bytes += value.byteLength;
		if (bytes > mostBytes) {
			// Not awaited: the answer may never end.
			reader.cancel().catch(() => {});
			return undefined;
		}
		text += decoder.decode(value, { stream: true });
	}
}
