/** Why a destination, or the upstream, gave no answer: as the client is told. */
export interface Unreachable {
	readonly status: 502 | 504;
	readonly message: string;
}

export function unreachable({ code }: NodeJS.ErrnoException): Unreachable {
	if (code === 'ETIMEDOUT') return { status: 504, message: 'The destination does not answer.' };
	return { status: 502, message: 'The destination cannot be reached, or its answer cannot be read.' };
}
