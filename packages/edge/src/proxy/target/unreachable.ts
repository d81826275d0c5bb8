/** Why a destination, or the upstream, gave no answer, in the words for the client. */
export interface Unreachable {
	readonly status: 502 | 504;
	readonly phrase: string;
	readonly message: string;
}

export function unreachable({ code }: NodeJS.ErrnoException): Unreachable {
	if (code === 'ETIMEDOUT')
		return { status: 504, phrase: 'Destination does not answer', message: 'The destination does not answer.' };
	return {
		status: 502,
		phrase: 'Destination not reached',
		message: 'The destination cannot be reached, or its answer cannot be read.',
	};
}
