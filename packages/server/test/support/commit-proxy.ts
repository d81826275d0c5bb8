import type { TestContext } from 'node:test';
import { bytesFrom, type Relay, send, startRelay } from '@bursar/testing/relay';

/** What becomes of a COMMIT that a client sends. */
export type CommitFate =
	| 'passed'
	/** It reaches the server; the connection ends before its answer comes back. */
	| 'answer_lost'
	/** The connection ends, and it never reaches the server. */
	| 'never_arrives'
	/** The client's connection ends at once; it reaches the server a while later. */
	| 'arrives_late'
	/** It reaches the server; neither its answer nor the end of the connection ever comes back. */
	| 'silence';

/** A way to a PostgreSQL server on which it is decided what becomes of each COMMIT. */
export interface CommitProxy extends Relay {
	/** How often each fate has struck. */
	readonly struck: ReadonlyMap<CommitFate, number>;
}

/** A simple query, as the protocol has it: its letter, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
const LATE_MS = 300;
/** For so long the server may work on a COMMIT of whose end its client does not hear. */
const UNHEARD_MS = 5_000;

/** Ends with the test. `fate` is asked for each COMMIT. */
export async function startCommitProxy(
	test: TestContext,
	serverUrl: string,
	fate: () => CommitFate,
): Promise<CommitProxy> {
	const struck = new Map<CommitFate, number>();
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
			struck.set(next, (struck.get(next) ?? 0) + 1);
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
	return { ...relay, struck };
}
