import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openReseller, setPrice } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { Bursar, InsufficientBalanceError } from '../../../client/src/index.ts';
import { readConfig } from '../../src/config.ts';
import { startPair } from '../support/postgres-pair.ts';
import { fileCopy } from '../support/postgres-standby.ts';
import { pythonWithWebhooks } from '../support/python.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const CHANGES = isLong ? 10_000 : 600;
const KILLS = isLong ? 20 : 4;
const CLIENTS = 8;
const NAMES = Array.from({ length: 30 }, (_, index) => `user.${index}`);
const PATIENCE_MS = 600_000;

/** What the receiver has made of the events. */
interface Mirror {
	readonly last: number;
	readonly sub_users: Readonly<
		Record<string, { reason: string | null; suspended: boolean; expires_at: string | null }>
	>;
	readonly posts: number;
	readonly repeated: number;
	readonly faults: readonly string[];
}

/**
 * Changes sub-users through the client, while `disturb` and kills hit the service. Throws unless a receiver that was written
 * with a foreign library has in the end made the same of its webhooks as the service has.
 */
async function assertMirrored(
	t: TestContext,
	environment: Readonly<Record<string, string>>,
	disturb: (kill: number) => Promise<void> = async () => {},
): Promise<void> {
	const random = randomFrom(printedSeed(t));
	const folder = temporaryFolder(t);
	const own = { BURSAR_WEBHOOKS_LOOPBACK: '1', ...environment };
	const config = readConfig({ BURSAR_DATA_DIR: folder, ...own });
	const { token } = await openReseller(config, 'acme', 100_000_000);
	await setPrice(config, 'acme', 3_500_000);
	let server = await startServer(t, folder, { environment: own });
	const { port } = new URL(server.url);
	const client = new Bursar({ baseUrl: server.url, token, totalTimeoutMs: PATIENCE_MS });
	const receiver = await startReceiver(t, random);
	const { secret } = await client.webhooks.create({ url: receiver.url });
	receiver.tellSecret(secret ?? '');

	let done = 0;
	const work = Array.from({ length: CLIENTS }, async (_, index) => {
		const names = NAMES.filter((_, place) => place % CLIENTS === index);
		for (const name of names) await client.subUsers.create(name);
		while (done++ < CHANGES) await change(client, names[random.below(names.length)] as string, random);
	});
	for (let kill = 0; kill < KILLS; kill++) {
		while (done < (CHANGES * (kill + 1)) / (KILLS + 1)) await setTimeout(10);
		await disturb(kill);
		await server.kill('SIGKILL');
		server = await startServer(t, folder, { environment: { ...own, BURSAR_PORT: port } });
	}
	await Promise.all(work);

	await eventually(async () => {
		const { last, sub_users: mirrored, ...rest } = await receiver.mirror();
		assert.deepEqual(rest.faults, []);
		const { next } = await client.events.list({ after: 'newest' }).page();
		assert.equal(Number(next.split('-')[0]), last);
		for await (const { username, balanceCents, state } of client.subUsers.list()) {
			const reason = state !== 'active' ? state : balanceCents === 0 ? 'exhausted' : null;
			const { limits } = await client.subUsers.retrieveDetails(username);
			const expected = {
				reason,
				suspended: state === 'suspended',
				expires_at: limits.expiresAt?.toISOString() ?? null,
			};
			assert.deepEqual(mirrored[username], expected, username);
		}
		assert.deepEqual(Object.keys(mirrored).sort(), NAMES.toSorted());
		t.diagnostic(`${last} events after ${done} changes, ${rest.posts} requests, ${rest.repeated} events came again`);
	}, PATIENCE_MS);
}

/** A receiver in Python. */
async function startReceiver(t: TestContext, random: Random) {
	const python = await pythonWithWebhooks(t);
	const seed = String(random.below(1_000_000));
	const stdio = ['pipe', 'pipe', 'inherit'] as const;
	const receiver = spawn(python, [join(import.meta.dirname, '../support/mirror.py'), seed], { stdio: [...stdio] });
	t.after(() => receiver.kill('SIGKILL'));
	const [port] = await once(createInterface(receiver.stdout as NodeJS.ReadableStream), 'line');
	const url = `http://127.0.0.1:${port}`;
	return {
		url,
		tellSecret: (secret: string) => receiver.stdin?.write(`${secret}\n`),
		mirror: async () => (await (await fetch(url)).json()) as Mirror,
	};
}

async function change({ subUsers }: Bursar, name: string, random: Random): Promise<void> {
	const cents = 1 + random.below(3);
	const ends = [null, new Date(Date.now() + random.below(3_000)), new Date(Date.now() - 1_000)];
	const changes = [
		() => subUsers.give(name, cents),
		() => subUsers.take(name, cents),
		() => subUsers.suspend(name),
		() => subUsers.resume(name),
		() => subUsers.setLimits(name, { expiresAt: ends[random.below(ends.length)] ?? null }),
	];
	await changes[random.below(changes.length)]?.().catch((error: unknown) => {
		if (!(error instanceof InsufficientBalanceError)) throw error;
	});
}

test('SQLite: a receiver with a foreign library mirrors the service, which is killed again and again', async (t) => {
	await assertMirrored(t, {});
});

test('PostgreSQL: a receiver with a foreign library mirrors the service through kills and a failover', async (t) => {
	const pair = await startPair(t, { installation: debianPostgres(), copyData: fileCopy });
	const name = new URL(await pair.primary.createDatabase()).pathname.slice(1);
	const masterKey = randomBytes(32).toString('base64');
	await assertMirrored(t, { BURSAR_DATABASE_URL: pair.url(name), BURSAR_MASTER_KEY: masterKey }, async (kill) => {
		if (kill === 1) await pair.failOver('kill', 100);
	});
});
