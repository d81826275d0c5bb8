import { readConfig } from '../packages/server/src/config.ts';
import { newEdgeKey } from '../packages/server/src/credentials.ts';
import { openStore } from '../packages/server/src/engine.ts';
import { seedReseller, subUserName } from './seed.ts';

const RESELLER = 'bench';
/** As many as the store is asked for at once. */
const NAMES_AT_ONCE = 1_000;

/** An edge in the filled store, and the pairs that it can check. */
export interface SeededEdge {
	readonly key: string;
	readonly pairs: readonly { readonly username: string; readonly password: string }[];
}

/** Fills the store with an edge and with a reseller that has that many sub-users. */
export async function seedEdge(environment: Readonly<Record<string, string>>, subUsers: number): Promise<SeededEdge> {
	await seedReseller(environment, RESELLER, subUsers);
	const store = await openStore(readConfig(environment));
	try {
		const { key, ...kept } = newEdgeKey();
		const answer = await store.runPersonCommands([{ kind: 'create_edge', name: 'bench', ...kept }], store.nowMs());
		if (answer.kind !== 'committed') throw new Error(`the edge could not be created: ${answer.kind}`);
		const names = Array.from({ length: subUsers }, (_, number) => subUserName(RESELLER, number));
		const pairs: SeededEdge['pairs'][number][] = [];
		for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
			const keys = await store.readPairs(names.slice(from, from + NAMES_AT_ONCE));
			for (const [username, password] of keys) if (password !== null) pairs.push({ username, password });
		}
		if (pairs.length !== subUsers) throw new Error('a pair could not be read');
		return { key, pairs };
	} finally {
		await store.close();
	}
}
