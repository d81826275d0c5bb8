import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { signedHeaders } from '@bursar/terminal/webhooks';
import { type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoredEvent } from '../../src/store/tables/events/events.ts';
import { endings, run, runAll } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { createSubUser, createWebhook, rotateToken, updateWebhook, webhookSecret } from '../support/commands.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const KILLS = { SQLite: isLong ? 60 : 4, PostgreSQL: isLong ? 12 : 1 };
/** Each has a sub-user that is suspended and resumed without end. */
const CLIENTS = 3;
const WEBHOOKS = 4;
const PATIENCE_MS = 180_000;

/** A request that has arrived completely, and whether it was answered with 2xx. */
interface Arrival {
	readonly number: number;
	readonly id: string;
	isAccepted: boolean;
}

for (const engine of await bothEngines()) {
	const processes = engine.name === 'SQLite' ? 1 : 2;
	const kills = KILLS[engine.name as keyof typeof KILLS];
	test(`${engine.name}: with receivers that fail and processes that are killed, each webhook gets each event in order`, async (t) => {
		const random = randomFrom(printedSeed(t));
		const folder = temporaryFolder(t);
		const environment = { BURSAR_WEBHOOKS_LOOPBACK: '1', ...(await engine.environment()) };
		const config = readConfig({ BURSAR_DATA_DIR: folder, ...environment });
		const { token } = await openReseller(config, 'acme', 1_000_000);
		await openReseller(config, 'other', 0);
		const store = await openStore(config);
		t.after(() => store.close());
		const names = Array.from({ length: CLIENTS }, (_, n) => `client.${n}`);
		const receivers = await Promise.all(
			Array.from({ length: WEBHOOKS }, (_, n) => startReceiver(t, random, `whe_${n}`)),
		);
		await runAll(
			store,
			receivers.map(({ id, url }) => createWebhook('acme', id, { url, allowsLoopback: true })),
			store.nowMs(),
		);
		await runAll(
			store,
			names.map((name) => createSubUser('acme', name)),
			store.nowMs(),
		);
		const servers = await Promise.all(Array.from({ length: processes }, () => startServer(t, folder, { environment })));
		const load = { isOver: false };
		const clients = names.map((name) => suspendAndResume(servers, token, name, random, load));
		const rollbacks = rollBack(store, random, load);
		const nudging = endWaits(store, receivers, load);
		for (let kill = 0; kill < kills; kill++) {
			await setTimeout(300 + random.below(700));
			const killed = random.below(servers.length);
			assert.equal((await servers[killed]?.kill('SIGKILL'))?.signal, 'SIGKILL');
			servers[killed] = await startServer(t, folder, { environment });
		}
		await setTimeout(300);
		load.isOver = true;
		await Promise.all(clients);
		const log = await readAll(store);
		await eventually(async () => {
			for (const { reached, id } of await store.listWebhooks('acme')) assert.equal(reached.number, log.length, id);
		}, PATIENCE_MS);
		nudging.stop();
		await Promise.all([nudging.ended, rollbacks]);
		for (const { id, arrivals } of receivers) assertAllInOrder(id, arrivals, log, kills);
		const posts = receivers.map(({ arrivals }) => arrivals.length);
		t.diagnostic(`${log.length} events, ${kills} kills, posts: ${posts.join(', ')}`);
		assert.ok(log.length > 10 * kills, 'there was nothing to deliver');
	});
}

/** Each event at least once, in order; again only the one that was under way; and what arrives is in the log. */
function assertAllInOrder(id: string, arrivals: readonly Arrival[], log: readonly StoredEvent[], kills: number): void {
	let accepted = 0;
	let repeats = 0;
	for (const { number, id: eventId, isAccepted } of arrivals) {
		assert.equal(eventId, log[number - 1]?.id, `${id}: event ${number} is the one of the log`);
		assert.ok(number === accepted || number === accepted + 1, `${id}: event ${number} comes after ${accepted}`);
		if (number === accepted) repeats++;
		if (isAccepted) accepted = number;
	}
	assert.equal(accepted, log.length, `${id} has all events`);
	// The answer to a try may be lost with its process.
	assert.ok(repeats <= kills, `${id}: ${repeats} events came again after they were accepted`);
}

/** A receiver that fails at random, and remembers what has arrived. */
async function startReceiver(t: TestContext, random: Random, id: string) {
	const arrivals: Arrival[] = [];
	const server = createServer(async (request, response) => {
		response.on('error', () => {});
		const fate = random.below(200);
		if (fate < 2) {
			response.destroy();
			return;
		}
		const body = await text(request).catch(() => undefined);
		if (body === undefined) return;
		const { number, id: eventId } = JSON.parse(body);
		const atMs = Number(request.headers['webhook-timestamp']) * 1_000;
		const signed = signedHeaders({ id: eventId, atMs, body, secrets: [webhookSecret(id)] });
		assert.equal(request.headers['webhook-signature'], signed['webhook-signature']);
		const arrival = { number, id: eventId, isAccepted: false };
		arrivals.push(arrival);
		if (fate >= 8) await setTimeout(fate < 16 ? random.below(50) : 0);
		arrival.isAccepted = fate >= 8;
		if (fate < 4) response.destroy();
		else if (fate < 8) response.writeHead(500 + fate, { 'retry-after': '1' }).end('not now');
		else response.writeHead(200 + (fate % 2)).end();
	});
	const { port } = await listen(t, server);
	return { id, url: `http://127.0.0.1:${port}/`, arrivals };
}

/** Suspends and resumes a sub-user without end, through any process. */
async function suspendAndResume(
	servers: readonly ServerProcess[],
	token: string,
	username: string,
	random: Random,
	load: { readonly isOver: boolean },
): Promise<void> {
	for (let n = 0; !load.isOver; n++) {
		const { url } = servers[random.below(servers.length)] as ServerProcess;
		const call = n % 2 === 0 ? 'suspend' : 'resume';
		// The process may just be killed.
		await fetch(`${url}/reseller/sub_users/${call}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ username }),
		}).then(
			(answer) => answer.text(),
			() => undefined,
		);
		await setTimeout(random.below(80));
	}
}

/** Gives commands whose events are rolled back: another reseller has the token. Their numbers are given to others. */
async function rollBack(store: Store, random: Random, load: { readonly isOver: boolean }): Promise<void> {
	const [taken] = await store.listTokens('other');
	assert.ok(taken);
	while (!load.isOver) {
		const outcomes = await run(store, [rotateToken('acme', taken.hash, 0)], store.nowMs());
		assert.deepEqual(endings(outcomes), ['rules_failed']);
		await setTimeout(random.below(100));
	}
}

/** Ends the waits of webhooks that fail, as their reseller does with another URL. */
function endWaits(
	store: Store,
	receivers: readonly { readonly id: string; readonly url: string }[],
	load: { readonly isOver: boolean },
) {
	let isStopped = false;
	const work = async () => {
		for (let n = 0; !isStopped || !load.isOver; n++) {
			await setTimeout(100);
			const failing = (await store.listWebhooks('acme')).filter(({ failingSinceMs }) => failingSinceMs !== null);
			const commands = failing.flatMap(({ id }) => {
				const url = receivers.find((receiver) => receiver.id === id)?.url;
				return url ? [updateWebhook('acme', id, { url: `${url}?${n}`, allowsLoopback: true })] : [];
			});
			if (commands.length > 0) await runAll(store, commands, store.nowMs());
		}
	};
	return {
		ended: work(),
		stop() {
			isStopped = true;
		},
	};
}

async function readAll(store: Store): Promise<readonly StoredEvent[]> {
	const events: StoredEvent[] = [];
	for (;;) {
		const log = await store.readEvents({ reseller: 'acme', after: events.length, limit: 500 });
		assert.ok(log);
		if (log.events.length === 0) return events;
		events.push(...log.events);
	}
}
