import type { Answer } from './answer.ts';
import type { Session } from './session.ts';
import type { RawRequest } from './wire.ts';

/** Sends the requests at once on a new connection, and gives the answers. */
export async function sendAll(
	{ wire }: Session,
	requests: readonly RawRequest[],
	timeoutMs?: number,
): Promise<readonly Answer[]> {
	const connection = await wire.connect(requests);
	try {
		connection.sendAll();
		return await connection.answers(requests.length, timeoutMs);
	} finally {
		connection.close();
	}
}
