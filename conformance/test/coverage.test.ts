import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allRules } from '../src/rules/all.ts';
import { accountBugs } from './bugs/accounts.ts';
import { answerBugs } from './bugs/answers.ts';
import { changeIdBugs } from './bugs/change-ids.ts';
import { connectionBugs } from './bugs/connections.ts';
import { createWithBugs } from './bugs/create-with.ts';
import { deleteBugs } from './bugs/deletes.ts';
import { eventBugs } from './bugs/events.ts';
import { expiryBugs } from './bugs/expiry.ts';
import { feeBugs } from './bugs/fees.ts';
import { lifeBugs } from './bugs/life.ts';
import { pageBugs } from './bugs/pages.ts';
import { requestBugs } from './bugs/requests.ts';
import { statementBugs } from './bugs/statement.ts';
import { tokenBugs } from './bugs/tokens.ts';
import { topUpBugs } from './bugs/top-ups.ts';
import { transferBugs } from './bugs/transfers.ts';
import { usernameBugs } from './bugs/usernames.ts';

/** Rules that nothing can test, that another test breaks, or that take a minute to break. */
const WITHOUT_A_BUG = [
	'authentication.rotation',
	'bodies.any-content-type',
	'create.any-content-type',
	'amounts.strings-leniently',
	'reads.broken-list',
	'auth-keys.previous-key',
	'http.late-headers',
	'http.late-body',
	'faults.unavailable',
	'faults.outcome-unknown',
	'faults.internal-error',
	'faults.balance-limit',
];

test('every rule has a bug that it must find', () => {
	const all = [
		feeBugs,
		transferBugs,
		usernameBugs,
		accountBugs,
		answerBugs,
		requestBugs,
		connectionBugs,
		expiryBugs,
		changeIdBugs,
		lifeBugs,
		createWithBugs,
		deleteBugs,
		pageBugs,
		statementBugs,
		eventBugs,
		tokenBugs,
		topUpBugs,
	];
	const bugs = all.flatMap((each) => Object.values(each));
	const found = new Set(bugs.flatMap(({ failing }) => failing));
	const without = allRules.map(({ name }) => name).filter((name) => !found.has(name));
	assert.deepEqual(without, WITHOUT_A_BUG);
});

/** The headings of docs/api.md, as rules cite them. */
const HEADINGS = new Set(
	Array.from(
		readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8').matchAll(/^##+ (\d+(?:\.\d+)?)\.? (.+)$/gm),
		([, number, title]) => `docs/api.md ${number} ${title}`,
	),
);
const RFC = /^RFC \d+, section \d+(?:\.\d+)*$/;

test('every rule has a unique name, a guarantee and an existing source', () => {
	assert.equal(new Set(allRules.map(({ name }) => name)).size, allRules.length);
	for (const { name, guarantee, source } of allRules) {
		assert.match(name, /^[a-z]+(?:-[a-z]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/);
		assert.match(guarantee, /^[A-Za-z].*\.$/, name);
		for (const cited of source.split('; ')) assert.ok(HEADINGS.has(cited) || RFC.test(cited), `${name}: ${cited}`);
	}
});
