import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { createBank } from '../../src/bank/bank.ts';
import { createUsagePosting } from '../../src/bank/usage-posting.ts';
import type { Config } from '../../src/config.ts';
import { startOfDayMs, usageDayOf } from '../../src/domain/usage.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { assertSoundLedger, balanceOf, record, runAll } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { createSubUser, giveBalance, NOON_MS, setPrice } from '../support/commands.ts';
import { startEdgeService } from '../support/edge-service.ts';

const GB = 1_000_000_000;
const HOUR_MS = 3_600_000;
const MIDNIGHT_MS = startOfDayMs(usageDayOf(NOON_MS) + 1);
const LOOK_MS = 50;
const LONG_MS = 60_000;

const engines = await bothEngines();

/** Opens the store of a service beside it, with a price of one dollar and these sub-users, who have a dollar each. */
async function openBeside(t: TestContext, config: Config, ...names: readonly string[]) {
	const store = await openStore(config);
	t.after(() => store.close());
	await runAll(store, [setPrice('acme', 1_000_000)], NOON_MS);
	for (const name of names) {
		await runAll(store, [createSubUser('acme', name), giveBalance('acme', name, 100)], NOON_MS);
	}
	let reports = 0;
	return {
		store,
		async use(atMs: number, bytes: number, ...usernames: readonly string[]) {
			const used = usernames.map((username) => ({
				...{ source: 's', id: String(reports++), username, atMs, bytesUp: bytes, bytesDown: 0 },
			}));
			const verdicts = await record(store, used, atMs);
			assert.ok(verdicts.every((verdict) => verdict === 'counted'));
		},
	};
}

/** The entries of the kind `usage`, as names and cents, by name. */
async function posted(store: Store): Promise<readonly string[]> {
	const { rows } = await store.listMovements({ reseller: 'acme', before: Number.MAX_SAFE_INTEGER, limit: 10_000 });
	const usage = rows.filter(({ kind }) => kind === 'usage');
	return usage.map(({ debit, amountCents }) => `${debit} ${amountCents}`).sort();
}

for (const engine of engines) {
	test(`${engine.name}: usage is posted after midnight, once, by whichever service comes first; who ran out is posted at once, and in the log`, async (t) => {
		const environment: Readonly<Record<string, string>> = { BURSAR_LOG_LEVEL: 'info', ...(await engine.environment()) };
		let nowMs = MIDNIGHT_MS - HOUR_MS;
		const lines: string[] = [];
		const start = () =>
			startTestService(
				t,
				environment,
				{
					usagePostingMs: LOOK_MS,
					openStore: async (config) => ({ ...(await openStore(config, { serves: true })), nowMs: () => nowMs }),
				},
				{ write: (line) => void lines.push(line) },
			);
		const first = await start();
		// An embedded store has one service at a time.
		const services = environment.BURSAR_DATABASE_URL === undefined ? [first] : [first, await start()];
		await first.openReseller('acme', 1_000);
		const { store, use } = await openBeside(t, first.config, 'alice', 'bruno');
		await use(nowMs, GB / 2, 'acme', 'alice');
		await use(nowMs, 3 * GB, 'bruno');
		// Bruno's debt is paid by acme, which pays for its own bandwidth first.
		const atOnce = ['acme 50', 'bruno 100'];
		await eventually(async () => assert.deepEqual(await posted(store), atOnce), LONG_MS);
		await setTimeout(5 * LOOK_MS);
		assert.deepEqual(await posted(store), atOnce, 'the day has not ended');

		nowMs = MIDNIGHT_MS + 1;
		const ofTheDay = ['acme 50', 'alice 50', 'bruno 100'];
		await eventually(async () => assert.deepEqual(await posted(store), ofTheDay), LONG_MS);
		await use(nowMs, GB / 4, 'alice');
		await setTimeout(5 * LOOK_MS);
		assert.deepEqual(await posted(store), ofTheDay, 'the new day has not ended');
		assert.equal(await balanceOf(store, 'acme', 'alice'), 25);
		nowMs += 24 * HOUR_MS;
		await eventually(
			async () => assert.deepEqual(await posted(store), [...ofTheDay.toSpliced(1, 0, 'alice 25')]),
			LONG_MS,
		);
		await assertSoundLedger(store);

		const figures = await Promise.all(services.map(({ opsUrl }) => metered(opsUrl)));
		const sum = (name: string) => figures.reduce((all, each) => all + (each.get(name) ?? 0), 0);
		assert.deepEqual(
			['charged_cents_total', 'debt_cents_total{reason="post_usage"}', 'ran_out_total'].map(sum),
			[225, 200, 1],
			'what was posted is not counted once',
		);
		assert.ok(figures.every((each) => each.get('resellers') === 1));
		const ranOut = lines.filter((line) => line.includes('ran out')).map((line) => JSON.parse(line));
		assert.equal(ranOut.length, 1);
		const account = { reseller: 'acme', username: 'bruno', paidCents: 100, debtCents: 0 };
		assert.partialDeepStrictEqual(ranOut[0], account);
	});

	test(`${engine.name}: whoever gives, passes and takes back owes the bandwidth within a second, and is told`, async (t) => {
		const service = await startEdgeService(t, await engine.environment(), { usagePostingMs: LONG_MS });
		const { api, edge, alice } = service;
		const store = await openStore(service.config);
		t.after(() => store.close());
		const bruno = (await api.create({ username: 'bruno' })).data.proxy_authkey as string;
		const price = setPrice('acme', 1_000_000);
		await runAll(store, [{ ...price, debtLineCents: 250 }], store.nowMs());
		const amount_usd_cents = (await api.myInfo()).data.balance as number;
		await api.give({ username: 'alice', amount_usd_cents });
		assert.equal((await edge.check({ username: 'alice', password: alice })).body.ok, true);
		await api.take({ username: 'alice', amount_usd_cents });
		await api.give({ username: 'bruno', amount_usd_cents });
		let up = 0;
		const pass = async (bytes: number) => {
			up += bytes;
			const counter = { counter: 'alice', username: 'alice', up, down: 0, at: new Date().toISOString() };
			assert.equal((await edge.usage({ counters: [counter] })).body.counted, 1);
		};
		const account = { balance: 0, line: 250, price: 1_000_000, usable: false, reason: 'exhausted' };
		await pass(2 * GB);
		await eventually(
			async () => assert.deepEqual((await api.viewAccount({})).data, { ...account, debt: 200 }),
			LONG_MS,
		);
		assert.equal((await edge.check({ username: 'bruno', password: bruno })).body.ok, true);
		await pass(GB);
		await eventually(async () => {
			assert.equal((await edge.check({ username: 'bruno', password: bruno })).body.reason, 'exhausted');
		}, LONG_MS);
		assert.equal((await api.viewAccount({})).data.debt, 300);
		await api.take({ username: 'bruno', amount_usd_cents: 400 });
		assert.deepEqual((await api.viewAccount({})).data, {
			...account,
			balance: 100,
			debt: 0,
			usable: true,
			reason: null,
		});
		await eventually(async () => {
			assert.equal((await edge.check({ username: 'bruno', password: bruno })).body.ok, true);
		}, LONG_MS);
		const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
		assert.match(text, /^bursar_metered_debt_cents_total\{reason="post_usage"\} 300$/m);
		await assertSoundLedger(store);
	});

	test(`${engine.name}: after a crash in the middle, the next process posts what is left, and nothing twice`, async (t) => {
		const service = await startTestService(t, await engine.environment(), { usagePostingMs: LONG_MS });
		await service.openReseller('acme', 100_000);
		const names = Array.from({ length: 320 }, (_, n) => `name${n}`);
		const { store, use } = await openBeside(t, service.config);
		await runAll(
			store,
			names.flatMap((name) => [createSubUser('acme', name), giveBalance('acme', name, 100)]),
			NOON_MS,
		);
		await use(NOON_MS, GB / 100, ...names);
		const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
		const observer = { failed: (cause: unknown) => assert.fail(String(cause)), done() {} };
		const after = { ...store, nowMs: () => MIDNIGHT_MS };
		const startPosting = (submit: typeof bank.submit) => {
			return createUsagePosting({ store: after, bank: { submit }, observer, lookMs: LOOK_MS });
		};
		// The 4th command is the first one of the second page. It gets no answer.
		let commands = 0;
		const crashing = startPosting((command) => (++commands < 4 ? bank.submit(command) : new Promise(() => {})));
		await eventually(async () => assert.equal(commands, 4), LONG_MS);
		crashing.close();
		assert.equal((await posted(store)).length, 300);
		const next = startPosting(bank.submit);
		const all = names.map((name) => `${name} 1`).sort();
		await eventually(async () => assert.deepEqual(await posted(store), all), LONG_MS);
		next.close();
		await assertSoundLedger(store);
	});
}

/** The metrics whose names begin with `bursar_metered_`, by the rest of the name. */
async function metered(opsUrl: string): Promise<ReadonlyMap<string, number>> {
	const text = await (await fetch(`${opsUrl}/metrics`)).text();
	return new Map(
		Array.from(text.matchAll(/^bursar_metered_(\S+) (\d+)$/gm), ([, name = '', value]) => [name, Number(value)]),
	);
}
