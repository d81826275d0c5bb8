/** A time in answers. `atMs`: Unix milliseconds. */
export function time(atMs: number): string {
	return new Date(atMs).toISOString();
}

export function timeOrNull(atMs: number | null): string | null {
	return atMs === null ? null : time(atMs);
}
