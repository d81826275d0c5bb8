import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { allRules } from '../src/rules/all.ts';
import { failuresOf, namesOf, type Report, runSuite } from './support/run-suite.ts';
import { OPENING_BALANCE_CENTS, startTestedService, type TestedService } from './support/tested-service.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** Rules that no service can be tested for over the wire. */
const NEVER_TESTABLE = [
	'authentication.rotation',
	'reads.broken-list',
	'auth-keys.previous-key',
	'faults.unavailable',
	'faults.outcome-unknown',
	'faults.internal-error',
	'faults.balance-limit',
];
const SLOW = ['http.late-headers', 'http.late-body'];

const engines: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
	SQLite: async () => ({}),
	PostgreSQL: async () => ({
		BURSAR_DATABASE_URL: await databases.createDatabase(),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
	}),
};

for (const [engine, environment] of Object.entries(engines)) {
	test(`our service keeps every rule on ${engine}, and the run costs exactly what it reports`, async (t) => {
		// With its store as it is deployed.
		const service = await startTestedService(t, await environment(), {});
		const report = await runSuite(service.url, service.acme.token, { secondToken: service.bolt.token });
		assert.deepEqual(failuresOf(report), []);
		assert.deepEqual(namesOf(report, 'not_testable').sort(), [...NEVER_TESTABLE, ...SLOW].sort());
		assert.ok(namesOf(report, 'passed').length > 100);
		await assertSpent(service, report);
	});
}

test('our service keeps the contract in its own form, too', async (t) => {
	const service = await startTestedService(t);
	const choose = { contract: true };
	const report = await runSuite(service.url, service.acme.token, { secondToken: service.bolt.token, choose });
	assert.deepEqual(failuresOf(report), []);
	await assertSpent(service, report);
});

test('slow rules are tested on request', async (t) => {
	const requestTimeouts = { requestMs: 600, headersMs: 300, checkMs: 50 };
	const service = await startTestedService(t, {}, { requestTimeouts });
	const choose = { only: ['http', 'every-answer'] };
	const report = await runSuite(service.url, service.acme.token, { isPatient: true, choose });
	assert.deepEqual(failuresOf(report), []);
	for (const name of SLOW) assert.ok(namesOf(report, 'passed').includes(name), name);
});

test('our service keeps the rules of leniency in lenient mode, and only then', async (t) => {
	const lenient = await startTestedService(t, { BURSAR_LENIENT: '1' });
	// The rules that leniency is about, and those next to them.
	const choose = { lenient: true, only: ['amounts', 'bodies', 'create', 'transfers', 'every-answer', 'spending'] };
	const kept = await runSuite(lenient.url, lenient.acme.token, { secondToken: lenient.bolt.token, choose });
	assert.deepEqual(failuresOf(kept), []);
	const strict = await startTestedService(t);
	const ofLeniency = ['bodies.any-content-type', 'create.any-content-type', 'amounts.strings-leniently'];
	assert.deepEqual(
		allRules.filter(({ mode }) => mode === 'lenient').map(({ name }) => name),
		ofLeniency,
	);
	// The other rules are the same in both modes, and the first test of this file tests them in strict mode.
	const broken = await runSuite(strict.url, strict.acme.token, {
		secondToken: strict.bolt.token,
		choose: { lenient: true, only: [...ofLeniency, 'every-answer', 'spending'] },
	});
	assert.deepEqual(namesOf(broken, 'failed'), ofLeniency);
	await assertSpent(strict, broken);
});

test('without a second token, without usage and behind a proxy, some rules are not testable', async (t) => {
	const { url, bolt } = await startTestedService(t);
	const choose = { only: ['isolation', 'usernames', 'usage', 'http', 'connections', 'spending'] };
	const report = await runSuite(url, bolt.token, { isDirect: false, choose });
	assert.deepEqual(failuresOf(report), []);
	const notTestable = namesOf(report, 'not_testable');
	for (const name of ['isolation.foreign', 'usernames.unique-over-resellers', 'usage.window', 'http.no-http']) {
		assert.ok(notTestable.includes(name), name);
	}
	assert.ok(!notTestable.includes('connections.pipelining'), 'rules that a proxy must keep are tested');
});

test('rules that cost more than the balance are not testable, and the others are tested', async (t) => {
	const service = await startTestedService(t);
	const poor = await service.openReseller('poor', 25);
	// Most of them cost something; the others cost nothing.
	const choose = { only: ['authentication', 'bodies', 'create', 'transfers', 'every-answer', 'spending'] };
	const report = await runSuite(service.url, poor.token, { choose });
	assert.deepEqual(failuresOf(report), []);
	assert.ok(namesOf(report, 'passed').includes('bodies.no-json-object'));
	assert.ok(namesOf(report, 'not_testable').includes('create.race'));
	assert.deepEqual(balancesOf(report), [25 - report.outcome.feesCents]);
	assert.equal(report.outcome.mostCents, 25, 'the run cannot spend more than the balance');
});

/** The balances fell by exactly the reported fees. */
async function assertSpent({ api }: TestedService, report: Report): Promise<void> {
	const { feesCents, mostCents, leftBehind, accounts } = report.outcome;
	assert.ok(feesCents > 0 && feesCents <= mostCents, `${feesCents} of ${mostCents} cents`);
	assert.deepEqual(leftBehind, []);
	const spent = accounts.reduce((sum, { beforeCents, afterCents = 0 }) => sum + beforeCents - afterCents, 0);
	assert.equal(spent, feesCents);
	const balance: number = (await api.myInfo()).data.balance;
	assert.equal(balance, accounts[0]?.afterCents);
	const all: { readonly balance: number }[] = (await api.viewAll()).data;
	const held = all.reduce((sum, subUser) => sum + subUser.balance, balance);
	assert.ok(held < OPENING_BALANCE_CENTS);
	assert.equal(held, balance, 'no sub-user holds balance');
}

function balancesOf(report: Report): (number | undefined)[] {
	return report.outcome.accounts.map(({ afterCents }) => afterCents);
}
