/**
 * The text of a file for many sub-users, without a byte order mark: UTF-8, or UTF-16 that says so by its mark, as spreadsheets
 * save it. `undefined` if it is neither: then its letters cannot be told.
 */
export function decodeBulkText(bytes: Uint8Array): string | undefined {
	const [first, second] = bytes;
	const utf16 =
		first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
	try {
		const text = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes);
		// Such a file is UTF-16 without its mark, compressed, or another binary format.
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}
