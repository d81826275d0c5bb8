import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRules } from '../src/rules/all.ts';
import { contractBugs } from './bugs/contract.ts';
import { startBareService } from './support/bare-service.ts';
import { huntBugs } from './support/bug-hunt.ts';
import { runCommand } from './support/command.ts';
import { failuresOf, namesOf, runSuite } from './support/run-suite.ts';

/** Nothing can test them over the wire. */
const NEVER_TESTABLE = ['authentication.rotation', 'auth-keys.previous-key'];
const ofContract = allRules.filter(({ basis }) => basis === 'contract').map(({ name }) => name);

test('a service of the bare contract keeps every rule of the contract, and the run costs what it says', async (t) => {
	const { url, acme, bolt } = await startBareService(t);
	const report = await runSuite(url, acme.token, { secondToken: bolt.token, choose: { contract: true } });
	assert.deepEqual(failuresOf(report), []);
	assert.deepEqual(namesOf(report, 'not_testable'), NEVER_TESTABLE);
	assert.deepEqual([...namesOf(report, 'passed'), ...NEVER_TESTABLE].sort(), ofContract.toSorted());
	const { feesCents, mostCents, leftBehind, accounts } = report.outcome;
	assert.deepEqual(leftBehind, []);
	assert.ok(feesCents <= mostCents);
	const spent = accounts.reduce((sum, { beforeCents, afterCents = 0 }) => sum + beforeCents - afterCents, 0);
	assert.equal(spent, feesCents);
});

/** Rules of Bursar that the bare service keeps, although the contract does not ask for them. */
const KEPT_TOO = [
	'bodies.forms-of-the-content-type',
	'bodies.in-chunks',
	'bodies.extra-fields',
	'transfers.are-read-afterwards',
	'isolation.near-spellings',
	'isolation.itself',
	'connections.kept-connection',
	'every-answer.message-on-failure',
	'every-answer.expiry',
	'every-answer.change-id',
	'every-answer.www-authenticate',
	'every-answer.allow',
	'every-answer.retry-after',
];

test('--contract exits with 0 for a service of the bare contract', async (t) => {
	const { url, acme } = await startBareService(t);
	const args = ['--url', url, '--contract', '--only', 'create-fee', 'transfers', 'every-answer', 'spending'];
	const { code, stdout, stderr } = await runCommand(t, args, { BURSAR_TOKEN: acme.token });
	assert.equal(code, 0, stdout + stderr);
	assert.doesNotMatch(stdout, /error-code/);
});

test('a service of the bare contract fails nearly all rules that only Bursar has', async (t) => {
	const { url, acme, bolt } = await startBareService(t);
	const report = await runSuite(url, acme.token, { secondToken: bolt.token });
	const ofBursar = new Set(allRules.filter(({ basis }) => basis === 'bursar').map(({ name }) => name));
	assert.deepEqual(
		namesOf(report, 'passed').filter((name) => ofBursar.has(name)),
		KEPT_TOO,
	);
	const failed = namesOf(report, 'failed').filter((name) => ofBursar.has(name));
	for (const name of ['paths.unknown', 'create.answer', 'usernames.taken-message', 'every-answer.error-code']) {
		assert.ok(failed.includes(name), name);
	}
	assert.deepEqual(report.outcome.leftBehind, []);
});

test('every rule of the contract has a bug in a bare service that it must find', () => {
	const found = new Set(Object.values(contractBugs).flatMap(({ failing }) => failing));
	assert.deepEqual(
		ofContract.filter((name) => !found.has(name)),
		NEVER_TESTABLE,
	);
});

huntBugs(contractBugs, { start: startBareService, contract: true });
