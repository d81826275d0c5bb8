import { readConfig } from '../packages/server/src/config.ts';
import { newProxyAuthkey, newToken } from '../packages/server/src/credentials.ts';
import type { Command } from '../packages/server/src/domain/command.ts';
import { openStore } from '../packages/server/src/engine.ts';

const BATCH = 2000;

/** Fills a store with one reseller that has that many sub-users, and money for all that is to come. */
export async function seedReseller(
	dataDir: string,
	username: string,
	subUsers: number,
): Promise<{ readonly token: string }> {
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
	const { token, tokenHash } = newToken();
	const base = { reseller: username, requestId: 'bench' };
	const run = async (commands: readonly Command[]) => {
		const answer = await store.runCommands(commands, Date.now());
		if (answer.kind !== 'committed') throw new Error(`the store could not be filled: ${answer.kind}`);
	};
	await run([
		{
			...base,
			kind: 'create_reseller',
			proxyAuthkey: newProxyAuthkey(),
			tokenHash,
			openingBalanceCents: 1_000_000_000_000,
		},
	]);
	for (let from = 0; from < subUsers; from += BATCH) {
		const count = Math.min(BATCH, subUsers - from);
		await run(
			Array.from({ length: count }, (_, offset): Command => {
				const wish = { username: subUserName(username, from + offset) };
				return { ...base, kind: 'create_sub_user', wish, proxyAuthkey: newProxyAuthkey() };
			}),
		);
	}
	await store.close();
	return { token };
}

/** The name of a reseller's sub-user by its number, as the load generators make it too. */
export function subUserName(reseller: string, number: number): string {
	return `${reseller}.${String(number).padStart(7, '0')}`;
}
