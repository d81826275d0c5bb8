/** ISO 8601 in UTC. */
export function time(ms: number): string {
	return new Date(ms).toISOString();
}

export function timeOrNull(ms: number | null): string | null {
	return ms === null ? null : time(ms);
}
