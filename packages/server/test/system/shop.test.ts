import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext, test } from 'node:test';
import { operatorApi, resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, runBursar, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { freePort } from '@bursar/testing/free-port';
import { type TestDatabases, testDatabases } from '@bursar/testing/postgres-server';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';

const SHOP = join(import.meta.dirname, '../support/shop.py');
const LIMIT_MS = 90_000;
const DAY_MS = 86_400_000;
const FEE = 10;
const PACKAGE = {
	balance: 350,
	total_bytes: 10_000_000_000,
	expires_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
	note: 'order 1042',
};
const ORDER = {
	...{ order: '1042', date: new Date().toISOString().slice(0, 10), reseller: 'bolt', payment: 50_000 },
	...{ packages: 100, package: PACKAGE },
};
const NAMES = Array.from({ length: ORDER.packages }, (_, index) => `bolt.${index + 1}`);
const ID = `${ORDER.date.replaceAll('-', '')}-order-1042`;

let databases: TestDatabases | undefined;
after(() => databases?.remove());

/**
 * Lets a shop in Python, which knows the documents alone, fulfil an order. Kills it ten times, and the service twice. Throws
 * unless every cent and every sub-user is there once.
 */
async function assertFulfilled(t: TestContext, engine: Readonly<Record<string, string>>): Promise<void> {
	const random = randomFrom(printedSeed(t));
	const dataDir = temporaryFolder(t);
	const ports = { BURSAR_PORT: `${await freePort()}`, BURSAR_OPERATOR_PORT: `${await freePort()}` };
	const environment = { ...engine, ...ports };
	const operatorUrl = `http://127.0.0.1:${ports.BURSAR_OPERATOR_PORT}`;
	let server: Promise<ServerProcess> = startServer(t, dataDir, { environment });
	const { url } = await server;

	async function operatorToken(name: string, ...scopes: string[]): Promise<string> {
		const expires = new Date(Date.now() + DAY_MS * 2).toISOString().slice(0, 10);
		const args = ['operator-token', 'create', name, '--scope', ...scopes, '--expires', expires, '--json'];
		const { code, stdout } = await runBursar(t, dataDir, args, { environment });
		assert.equal(code, 0, `no token ${name} was made`);
		return JSON.parse(stdout).token;
	}

	/** Ends the service as a power cut would, and begins to start it again. */
	async function killService(): Promise<void> {
		const running = await server;
		await running.kill('SIGKILL');
		server = startServer(t, dataDir, { environment });
		server.catch(() => {});
	}

	const orders = join(temporaryFolder(t), 'orders.json');
	writeFileSync(orders, JSON.stringify([ORDER]));
	const shopEnvironment = {
		...{ BURSAR_URL: url, OPERATOR_URL: operatorUrl, SHOP_STEPS: '1' },
		OPERATOR_TOKEN: await operatorToken('shop', 'resellers:write', 'money:write', 'tokens:write'),
	};

	/** Runs the shop, which waits after each line that it prints. */
	async function runShop(folder: string, kills: Kills = {}) {
		const shop = startProcess(t, ['python3', SHOP, orders, folder], { environment: shopEnvironment, input: null });
		const lines: string[] = [];
		const isAt = (moment: Moment | undefined) =>
			typeof moment === 'number'
				? moment === lines.length
				: moment !== undefined && lines.at(-1)?.replace(/: .*/, '') === moment;
		let isServiceKilled = false;
		createInterface(shop.child.stdout).on('line', async (line) => {
			lines.push(line);
			if (isAt(kills.shop)) return shop.signal('SIGKILL');
			if (isAt(kills.service) && !isServiceKilled) {
				isServiceKilled = true;
				await killService();
			}
			shop.child.stdin.write('\n');
		});
		const { code, signal, stderr } = await shop.ended;
		assert.doesNotMatch(`${lines.join('\n')}${stderr}`, /\bbr[os]_/);
		return { code, signal, stderr, lines, isServiceKilled };
	}

	const folder = temporaryFolder(t);
	for (const kills of planKills(random)) {
		const { signal, stderr, lines, isServiceKilled } = await runShop(folder, kills);
		assert.equal(signal, 'SIGKILL', `the shop was not at ${kills.shop}, but ended at ${lines.at(-1)}\n${stderr}`);
		assert.equal(isServiceKilled, kills.service !== undefined);
		t.diagnostic(`killed at: ${lines.at(-1)}${isServiceKilled ? '; and the service before' : ''}`);
		await server;
	}
	const last = await runShop(folder);
	assert.deepEqual([last.code, last.stderr, last.lines.at(-1)], [0, '', 'done 1042']);
	assert.deepEqual((await runShop(folder)).lines, ['done 1042']);

	// A shop that has lost all that it kept does nothing twice either.
	const anew = temporaryFolder(t);
	const again = await runShop(anew);
	assert.deepEqual([again.code, again.stderr, again.lines.at(-1)], [0, '', 'done 1042']);
	const [pairs, pairsAgain] = [folder, anew].map((kept) => readFileSync(join(kept, `${ID}.pairs`), 'utf8'));
	assert.equal(pairs, pairsAgain);

	await server;
	const operator = operatorApi(operatorUrl, await operatorToken('auditor', 'resellers:read'));
	const spent = ORDER.packages * (FEE + PACKAGE.balance);
	const { resellers, next } = (await operator('viewResellerPage', {})).data;
	assert.deepEqual([resellers.length, next], [1, null]);
	assert.partialDeepStrictEqual(resellers[0], { username: 'bolt', balance: ORDER.payment - spent });

	const reseller = resellerApi(url, readFileSync(join(anew, `${ID}.token`), 'utf8'));
	await assertSubUsers(reseller, new Map(JSON.parse(pairs as string)));
	await assertStatement(reseller);
	await assertLedgerInOrder(t, dataDir, { environment });
}

/** A line of the shop: what it says, or the how manieth of its run it is. */
type Moment = string | number;
/** When the shop is killed, and when the service is killed before that. */
interface Kills {
	readonly shop?: Moment;
	readonly service?: Moment;
}

/** Ten kills of the shop, from its first request to its last one, and two of the service. */
function planKills(random: Random): readonly Kills[] {
	const phaseOf = (request: string) => `${['send', 'sent', 'answer'][random.below(3)]} ${request}`;
	const phaseOfSale = (number: number) => phaseOf(`sub_users/create_with ${ID}-${number}`);
	// In a first run, lines 4 to 7 are those of the create, and that its token is kept.
	const making = 4 + random.below(4);
	const service = 4 + random.below(3);
	const makingAgain = { service, shop: service + 1 + random.below(9) };
	const beginning = Array.from({ length: 2 }, () => ({ shop: 1 + random.below(9) }));
	const selling = Array.from({ length: 5 }, (_, fifth) => {
		const number = fifth * 20 + 3 + random.below(17);
		return { shop: phaseOfSale(number), before: phaseOfSale(number - 1) };
	});
	const late = random.below(selling.length);
	return [
		{ shop: making },
		makingAgain,
		...beginning,
		...selling.map(({ shop, before }, index) => ({ shop, ...(index === late && { service: before }) })),
		{ shop: phaseOf('sub_users/view_all') },
	];
}

type ResellerApi = ReturnType<typeof resellerApi>;

/** Throws unless the reseller has these sub-users with these keys, each once and each as it was ordered. */
async function assertSubUsers(reseller: ResellerApi, keys: ReadonlyMap<string, string>): Promise<void> {
	assert.deepEqual([...keys.keys()], NAMES);
	const subUsers = (await reseller.viewAll()).data as { username: string; balance: number; proxy_authkey: string }[];
	const shown = subUsers.map(({ username, balance, proxy_authkey: key }) => ({ username, balance, key }));
	const expected = NAMES.map((username) => ({ username, balance: PACKAGE.balance, key: keys.get(username) }));
	const byName = (one: { username: string }, other: { username: string }) => (one.username < other.username ? -1 : 1);
	assert.deepEqual(shown.toSorted(byName), expected.toSorted(byName));
	for (const username of NAMES) {
		const { limits, note, state } = (await reseller.viewDetails({ username })).data;
		const { total_bytes, expires_at } = PACKAGE;
		const none = { day_bytes: null, month_bytes: null, connections: null, bytes_per_second: null, allowed_ips: null };
		assert.deepEqual([limits, note, state], [{ ...none, total_bytes, expires_at }, PACKAGE.note, 'active'], username);
	}
}

interface Movement {
	readonly id: number;
	readonly kind: string;
	readonly username: string | null;
	readonly amount: number;
	readonly balance: number;
	readonly reference: string | null;
}

/** Throws unless the statement, read page by page from its beginning, adds up and has each reference once. */
async function assertStatement(reseller: ResellerApi): Promise<void> {
	const movements: Movement[] = [];
	let place: string | number = 0;
	let isMore = true;
	while (isMore) {
		const { data } = await reseller.viewStatement({ order: 'oldest', after: place, limit: 30 });
		movements.push(...data.movements);
		place = data.next;
		isMore = data.more;
	}
	let balance = 0;
	for (const [index, movement] of movements.entries()) {
		balance += movement.kind === 'top_up' ? movement.amount : -movement.amount;
		assert.deepEqual([movement.id, movement.balance], [(movements[0] as Movement).id + index, balance]);
	}
	const of = (kind: string) => movements.filter((movement) => movement.kind === kind);
	assert.deepEqual(
		of('top_up').map(({ amount, reference }) => ({ amount, reference })),
		[{ amount: ORDER.payment, reference: ID }],
	);
	const sold = of('give').map(({ username, amount, reference }) => `${username} ${amount} ${reference}`);
	const expected = NAMES.map((name, index) => `${name} ${PACKAGE.balance} ${ID}-${index + 1}`);
	assert.deepEqual(sold.toSorted(), expected.toSorted());
	const fees = of('create_fee').map(({ username, amount }) => `${username} ${amount}`);
	assert.deepEqual(fees.toSorted(), NAMES.map((name) => `${name} ${FEE}`).toSorted());
	assert.equal(movements.length, 1 + 2 * ORDER.packages);
}

test(
	'SQLite: a shop in Python is killed ten times, and the service twice: each cent and sub-user is there once',
	{
		timeout: LIMIT_MS,
	},
	(t) => assertFulfilled(t, {}),
);

test('PostgreSQL: a shop in Python is killed ten times, and the service twice: each cent and sub-user is there once', {
	timeout: LIMIT_MS,
}, async (t) => {
	databases = await testDatabases();
	const masterKey = randomBytes(32).toString('base64');
	await assertFulfilled(t, { BURSAR_DATABASE_URL: await databases.createDatabase(), BURSAR_MASTER_KEY: masterKey });
});
