/**
 * A new id of a change (a UUID). A component makes it when its form or dialog opens, and sends it again if the same
 * change is sent again. `crypto.randomUUID` is missing on plain http.
 */
export function newActId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	return [0, 8, 12, 16, 20].map((start, place, starts) => hex.slice(start, starts[place + 1])).join('-');
}
