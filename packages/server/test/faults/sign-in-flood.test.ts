import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Answer, resellerApi } from '@bursar/testing/api';
import { PASSWORD, startDashboard } from '../support/dashboard.ts';
import { wholeFile } from '../support/whole-file.ts';

const ENVIRONMENT = { BURSAR_TRUSTED_PROXIES: '127.0.0.1' };
const FLOOD = 200;
const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
/** Most tries are refused at once: without a pause, the flood itself takes the processor. */
const PAUSE_MS = isLong ? 10 : 30;
const HONEST = isLong ? 10 : 2;

/** Its passwords cost what they cost a service. */
const dashboard = await startDashboard(wholeFile, ENVIRONMENT, { realPasswords: true });
const cheap = await startDashboard(wholeFile, ENVIRONMENT);

/** Strangers try wrong passwords without end. Returns what ends them. */
function startFlood(addresses: readonly string[]) {
	let isOver = false;
	const flood = addresses.map(async (address, index) => {
		const stranger = dashboard.browser({ 'x-forwarded-for': address });
		while (!isOver) {
			await stranger.signIn(`nobody${index}@acme.example`, 'a wrong password');
			await setTimeout(PAUSE_MS);
		}
	});
	return async () => {
		isOver = true;
		await Promise.all(flood);
	};
}

for (const { from, reseller, addresses } of [
	{ from: 'one network', reseller: 'acme', addresses: Array<string>(30).fill('198.51.100.7') },
	{
		from: 'all networks of one IPv6 site',
		reseller: 'bolt',
		addresses: Array.from({ length: 40 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`),
	},
]) {
	test(`a flood from ${from} keeps nobody else from signing in`, async () => {
		const { email } = await dashboard.resellerWithPerson(reseller);
		const endFlood = startFlood(addresses);
		for (let index = 0; index < HONEST; index++) {
			const answer = await dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` }).signIn(email, PASSWORD);
			assert.equal(answer.status, 200, answer.text);
		}
		await endFlood();
	});
}

test('a flood from everywhere keeps nobody from signing in with a browser that is known', async () => {
	const { email, browser } = await dashboard.resellerWithPerson('known');
	const everywhere = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`);
	const endFlood = startFlood(everywhere);
	for (let index = 0; index < HONEST; index++) {
		const answer = await browser.signIn(email, PASSWORD);
		assert.equal(answer.status, 200, answer.text);
	}
	await endFlood();
});

test('one IPv6 site whose tries wait to be counted leaves room for those of others', async (t) => {
	const { email } = await cheap.resellerWithPerson('counted');
	const { store, faults } = cheap;
	const gate = Promise.withResolvers<void>();
	t.after(() => gate.resolve());
	faults.runPersonCommands = async (...batch) => {
		await gate.promise;
		return store.runPersonCommands(...batch);
	};
	const flood = Array.from({ length: 200 }, (_, index) =>
		cheap.browser({ 'x-forwarded-for': `2001:db8:7:${index.toString(16)}::1` }).signIn('nobody@acme.example', 'wrong'),
	);
	// 16 are under way, and 32 of one site wait at most.
	await someRefused(flood, 200 - 16 - 32);
	const honest = cheap.browser({ 'x-forwarded-for': '192.0.2.1' }).signIn(email);
	gate.resolve();
	delete faults.runPersonCommands;
	assert.equal((await honest).status, 200);
	await Promise.all(flood);
});

test('a try has no turn to compute while it is counted and its person is read', async () => {
	const { email, browser } = await dashboard.resellerWithPerson('stuck');
	const { store, faults } = dashboard;
	const gate = Promise.withResolvers<undefined>();
	faults.findPersonByEmail = (asked) => (asked === email ? store.findPersonByEmail(asked) : gate.promise);
	const stuck = Array.from({ length: 36 }, (_, index) =>
		dashboard.browser({ 'x-forwarded-for': `198.51.100.${index % 9}` }).signIn(`nobody${index}@acme.example`),
	);
	try {
		for (let index = 0; index < (isLong ? 5 : 2); index++) {
			const honest = dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` });
			assert.equal((await honest.signIn(email)).status, 200);
			await browser.ok('/proof', { password: PASSWORD });
		}
	} finally {
		gate.resolve(undefined);
		delete faults.findPersonByEmail;
	}
	assert.ok((await Promise.all(stuck)).some(({ errorCode }) => errorCode === 'wrong_credentials'));
});

test('strangers whose tries wait to be counted leave room for the changes of people', async (t) => {
	const { browser } = await cheap.resellerWithPerson('changing');
	const { store, faults } = cheap;
	const gate = Promise.withResolvers<void>();
	t.after(() => gate.resolve());
	faults.runPersonCommands = async (...batch) => {
		await gate.promise;
		return store.runPersonCommands(...batch);
	};
	const flood = Array.from({ length: 600 }, (_, index) =>
		cheap
			.browser({ 'x-forwarded-for': `10.0.${index % 100}.1` })
			.signIn(`nobody${index}@acme.example`, 'a wrong password'),
	);
	// 16 are under way, and 512 wait at most.
	await someRefused(flood, 600 - 16 - 512);
	const proof = browser.ask('/proof', { password: PASSWORD });
	const late = cheap.browser({ 'x-forwarded-for': '10.0.200.1' });
	assert.equal((await late.signIn('nobody@acme.example')).errorCode, 'unavailable');
	gate.resolve();
	delete faults.runPersonCommands;
	assert.equal((await proof).status, 200);
	await Promise.all(flood);
});

test('a flood of sign-ins is bounded, and the API answers meanwhile', async (t) => {
	const { email, token } = await dashboard.resellerWithPerson('calm');
	const api = resellerApi(dashboard.url, token);
	await api.create({ username: 'alice' });
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	let isOver = false;
	const flood = Promise.all(
		Array.from({ length: FLOOD }, (_, index) => {
			const browser = dashboard.browser({ 'x-forwarded-for': `192.0.2.${index % 250}` });
			return browser.signIn(`nobody${index}@acme.example`, 'a wrong password');
		}),
	).finally(() => {
		isOver = true;
	});
	let transfers = 0;
	while (!isOver) {
		assert.equal((await api.give({ username: 'alice', amount_usd_cents: 1 })).status, 200);
		transfers++;
	}
	const codes = Map.groupBy(await flood, ({ errorCode }) => errorCode);
	delay.disable();
	const counts = Object.fromEntries(Array.from(codes, ([code, answers]) => [code, answers.length]));
	t.diagnostic(
		`${JSON.stringify(counts)}, ${transfers} transfers, event loop ${Math.round(delay.max / 1e6)} ms late at most`,
	);
	assert.deepEqual(Object.keys(counts).sort(), ['unavailable', 'wrong_credentials']);
	assert.ok(transfers > 0);
	for (const answer of codes.get('unavailable') ?? []) assert.equal(answer.headers.get('retry-after'), '1');
	assert.equal((await dashboard.browser().signIn(email, PASSWORD)).status, 200, 'it recovers by itself');
});

/** Resolves when so many of them were refused. */
function someRefused(flood: readonly Promise<Answer>[], least: number): Promise<void> {
	return new Promise((resolve) => {
		let refused = 0;
		for (const each of flood) {
			void each.then(() => {
				if (++refused === least) resolve();
			});
		}
	});
}
