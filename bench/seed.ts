import { readConfig } from '../packages/server/src/config.ts';
import { newProxyAuthkey, newToken } from '../packages/server/src/credentials.ts';
import type { Command } from '../packages/server/src/domain/command.ts';
import { openStore } from '../packages/server/src/engine.ts';
import type { Writer } from '../packages/server/src/store/store.ts';

const BATCH = 2000;
export const SUB_USER_DIGITS = 7;

type Environment = Readonly<Record<string, string>>;

/** A reseller in the filled store, and its bearer token. */
export interface SeededReseller {
	readonly username: string;
	readonly token: string;
}

/** Fills the store with one reseller that has that many sub-users. */
export async function seedReseller(
	environment: Environment,
	username: string,
	subUsers: number,
): Promise<SeededReseller> {
	const [reseller] = await seedResellers(environment, [username], subUsers);
	return reseller as SeededReseller;
}

/** Fills the store with resellers that have that many sub-users each, and enough money for any benchmark. */
export async function seedResellers(
	environment: Environment,
	usernames: readonly string[],
	subUsersEach: number,
): Promise<readonly SeededReseller[]> {
	const store = await openStore(readConfig(environment));
	try {
		const resellers: SeededReseller[] = [];
		for (const username of usernames) resellers.push(await fill(store, username, subUsersEach));
		return resellers;
	} finally {
		await store.close();
	}
}

/** Gives each sub-user of the resellers another balance, in a store that was seeded. */
export async function giveDifferentBalances(
	environment: Environment,
	resellers: readonly SeededReseller[],
	subUsersEach: number,
): Promise<void> {
	const store = await openStore(readConfig(environment));
	try {
		for (const { username: reseller } of resellers) {
			for (let from = 0; from < subUsersEach; from += BATCH) {
				const gives = Array.from({ length: Math.min(BATCH, subUsersEach - from) }, (_, offset): Command => {
					const amountCents = 1 + (((from + offset) * 7919) % 10_007);
					const username = subUserName(reseller, from + offset);
					return { kind: 'give_balance', reseller, requestId: 'bench', username, amountCents };
				});
				await runAll(store, gives);
			}
		}
	} finally {
		await store.close();
	}
}

async function runAll(store: Writer, commands: readonly Command[]): Promise<void> {
	const answer = await store.runCommands(commands, Date.now());
	if (answer.kind !== 'committed') throw new Error(`the store could not be filled: ${answer.kind}`);
	if (answer.results.some(({ ok }) => !ok)) throw new Error('the store could not be filled: a command was refused');
}

async function fill(store: Writer, username: string, subUsers: number): Promise<SeededReseller> {
	const { token, ...kept } = newToken();
	const base = { reseller: username, requestId: 'bench' };
	await runAll(store, [
		{
			...base,
			kind: 'create_reseller',
			proxyAuthkey: newProxyAuthkey(),
			...kept,
			madeBy: 'bench',
			openingBalanceCents: 1_000_000_000_000,
		},
	]);
	for (let from = 0; from < subUsers; from += BATCH) {
		const count = Math.min(BATCH, subUsers - from);
		await runAll(
			store,
			Array.from({ length: count }, (_, offset): Command => {
				const name = subUserName(username, from + offset);
				return { ...base, kind: 'create_sub_user', username: name, proxyAuthkey: newProxyAuthkey() };
			}),
		);
	}
	return { username, token };
}

/** The name of a reseller's sub-user by its number. The load generators build the same names. */
export function subUserName(reseller: string, number: number): string {
	return `${reseller}.${String(number).padStart(SUB_USER_DIGITS, '0')}`;
}
