import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { postgresBooks } from '@bursar/testing/postgres-books';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { sqliteBooks } from '@bursar/testing/sqlite-books';
import type { StoredBooks } from '@bursar/testing/stored-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess, type TestProcess } from '@bursar/testing/test-process';
import { type Config, readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { assertSoundLedger, run, runAll, runAllPeople } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { createReseller, createSubUser, giveBalance } from '../support/commands.ts';
import { accept, emailOf, invite } from '../support/person-commands.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
/** Fewer than fit into the five minutes of a proof. */
const KILLS = isLong ? 60 : 2;
const PROGRAM = join(import.meta.dirname, 'acting-process.ts');
const PEOPLE = ['ada', 'bob', 'cyd', 'dan'];

for (const engine of await bothEngines()) {
	test(`${engine.name}: after kill -9, each recorded act has had its effect, and each effect its act`, async (t) => {
		const random = randomFrom(printedSeed(t));
		const environment = { BURSAR_DATA_DIR: temporaryFolder(t), ...(await engine.environment()) };
		const config = readConfig(environment);
		const store = await openStore(config);
		t.after(() => store.close());
		for (const person of PEOPLE) {
			await runAll(store, [createReseller(`of.${person}`, 1_000_000), createSubUser(`of.${person}`, `sub.${person}`)]);
			await runAllPeople(store, [invite(person, `of.${person}`), accept(person, `s of ${person}`)], store.nowMs());
		}
		let known = new Map(PEOPLE.map((person) => [person, { token: -1, password: -1, gift: -1 }]));
		for (let kill = 0; kill < KILLS; kill++) {
			const firsts = Array.from(known, ([person, last]) => `${person}=${Math.max(...Object.values(last)) + 1}`);
			const acting = startProcess(t, [process.execPath, PROGRAM, ...firsts], { environment });
			await allKindsAnswered(acting);
			await setTimeout(random.below(300));
			acting.signal('SIGKILL');
			const { stdout, stderr, signal } = await acting.ended;
			assert.equal(signal, 'SIGKILL', stderr);
			await settle(store);
			const answered = answersIn(stdout);
			known = new Map(
				await Promise.all(PEOPLE.map(async (person) => [person, await lastSerials(store, person)] as const)),
			);
			for (const [person, lasts] of known) {
				for (const [kind, last] of Object.entries(lasts)) {
					const acknowledged = answered.get(`${person} ${kind}`) ?? -1;
					assert.ok(last >= acknowledged, `${person} ${kind} ${acknowledged} was answered, ${last} is stored`);
				}
			}
		}
		await assertSameGifts(store, booksOf(config));
		t.diagnostic(`the last acts: ${JSON.stringify(Object.fromEntries(known))}`);
	});
}

function booksOf({ databaseUrl, dataDir }: Config): StoredBooks {
	const [url] = databaseUrl?.hostUrls ?? [];
	return url === undefined ? sqliteBooks(dataDir) : postgresBooks(() => url);
}

/** Each gift in the ledger names the request of the act that made it, and no act is without its gift. */
async function assertSameGifts(store: Store, books: StoredBooks): Promise<void> {
	const transfers = await books.transfersBehind({});
	const gifts = transfers.flatMap(({ kind, requestId }) => (kind === 'give' ? [requestId] : []));
	const acts = await Promise.all(PEOPLE.map((person) => store.listActs(person, Number.MAX_SAFE_INTEGER, 100_000)));
	const recorded = acts.flat().flatMap(({ kind, id }) => (kind === 'give_balance' ? [id] : []));
	assert.ok(gifts.length > 0);
	assert.deepEqual(gifts.toSorted(), recorded.toSorted());
	await assertSoundLedger(store);
}

/** The serials of the person's token, password and gift, which are those of the last acts. */
async function lastSerials(store: Store, person: string) {
	const tokens = await store.listTokens(`of.${person}`);
	assert.equal(tokens.length, 1);
	const record = await store.findPersonByEmail(emailOf(person));
	const acts = await store.listActs(person, Number.MAX_SAFE_INTEGER, 6);
	const lastActs = (kind: string) =>
		acts.flatMap(({ id }) => (id.startsWith(`${person} ${kind} `) ? [Number(id.split(' ')[2])] : []));
	const [token = -1] = lastActs('token');
	const [password = -1] = lastActs('password');
	const [gift = -1] = lastActs('gift');
	const serialOf = (text = '') => (/ \d+$|^\d+$/.test(text) ? Number(text.split(' ').at(-1)) : -1);
	assert.equal(serialOf(tokens[0]?.hash), token, 'the token is of the last act');
	assert.equal(serialOf(record?.person.passwordHash ?? ''), password, 'the password is of the last act');
	return { token, password, gift };
}

/** Waits for transactions that the killed process has left at the database. */
async function settle(store: Store): Promise<void> {
	for (const person of PEOPLE) await run(store, [giveBalance(`of.${person}`, 'nobody', 1)]);
	await runAllPeople(store, [{ kind: 'sign_out', person: 'nobody', sessionHash: 'none' }], store.nowMs());
}

async function allKindsAnswered(acting: TestProcess): Promise<void> {
	const ended = acting.ended.then(({ stderr }) => assert.fail(stderr));
	ended.catch(() => {});
	// A gift is the last of the three.
	while (!/ gift \d+\n/.test(acting.stdout())) await Promise.race([setTimeout(5), ended]);
}

/** The last serial of each kind that was answered. */
function answersIn(stdout: string): ReadonlyMap<string, number> {
	const lines = stdout.split('\n').slice(0, -1);
	return new Map(
		lines.map((line) => {
			const [person, kind, serial] = line.split(' ');
			return [`${person} ${kind}`, Number(serial)];
		}),
	);
}
