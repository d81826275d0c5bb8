import type { TestContext } from 'node:test';
import { bytesFrom, type Relay, send, startRelay } from '@bursar/testing/relay';

/** What the proxy does with a client's COMMIT. */
export type CommitFate =
	| 'passed'
	/** The server gets it. The connection ends before the answer comes back. */
	| 'answer_lost'
	/** The connection ends. The server never gets it. */
	| 'never_arrives'
	/** The client's connection ends at once. The server gets it later. */
	| 'arrives_late'
	/** The server gets it. The client sees neither an answer nor the end of the connection. */
	| 'silence';

/** A proxy in front of a PostgreSQL server that decides the fate of each COMMIT. */
export interface CommitProxy extends Relay {
	/** How often each fate but `passed` was chosen. */
	readonly fates: ReadonlyMap<CommitFate, number>;
}

/** A simple query in the wire protocol: type, length, text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
const LATE_MS = 300;
/** How long the server may work on a COMMIT after its client went silent. */
const UNHEARD_MS = 5_000;

/** Ends with the test. Calls `fate` once for each COMMIT. */
export async function startCommitProxy(
	test: TestContext,
	serverUrl: string,
	fate: () => CommitFate,
): Promise<CommitProxy> {
	const fates = new Map<CommitFate, number>();
	const relay = await startRelay(test, serverUrl, async ({ client, server, delay }) => {
		let isSilent = false;
		const answering = async () => {
			for await (const bytes of bytesFrom(server)) if (!isSilent) await send(client, bytes);
			if (!isSilent) client.destroy();
		};
		const answered = answering();
		for await (const bytes of bytesFrom(client)) {
			const next = bytes.includes(COMMIT) ? fate() : 'passed';
			if (next === 'passed') {
				await send(server, bytes);
				continue;
			}
			fates.set(next, (fates.get(next) ?? 0) + 1);
			if (next === 'never_arrives') return;
			isSilent = true;
			if (next === 'arrives_late') {
				client.destroy();
				await delay(LATE_MS);
			}
			await send(server, bytes);
			if (next === 'answer_lost') client.destroy();
		}
		if (isSilent) await Promise.race([answered, delay(UNHEARD_MS)]);
	});
	return { ...relay, fates };
}
