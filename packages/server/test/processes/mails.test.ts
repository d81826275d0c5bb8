import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { runAllPeople } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { accept, invite, signIn } from '../support/person-commands.ts';

const PEOPLE = 25;

const [, postgres] = await bothEngines();
assert.ok(postgres);
const { environment: newDatabase } = postgres;

/** Services that share a store and send mail, and the store itself. */
async function startServices(t: TestContext, smtpUrl: string, count: number) {
	const environment = {
		...{ BURSAR_SMTP_URL: smtpUrl, BURSAR_MAIL_FROM: 'bursar@example.com', BURSAR_PUBLIC_URL: 'http://localhost:1' },
		...(await newDatabase()),
	};
	const start = () => startTestService(t, environment, { mailLookMs: 20 });
	const services = [await start()];
	for (let index = 1; index < count; index++) services.push(await start());
	const [first] = services;
	assert.ok(first);
	const { config } = first;
	await first.openReseller('acme', 10_000);
	const store = await openStore(config);
	t.after(() => store.close());
	return { store, services, start };
}

async function signInAnew(store: Store, person: string, session: string): Promise<void> {
	const command = signIn(person, session);
	await runAllPeople(store, [{ ...command, session: { ...command.session, isNewBrowser: true } }], store.nowMs());
}

test('several processes send each mail once', async (t) => {
	const server = await startMailServer(t);
	const { store } = await startServices(t, server.url, 3);
	const people = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
	for (const person of people) {
		await runAllPeople(store, [invite(person, 'acme'), accept(person, `first of ${person}`)], store.nowMs());
	}
	await Promise.all(people.map((person) => signInAnew(store, person, `second of ${person}`)));
	await server.received(PEOPLE);
	await eventually(async () => assert.equal((await store.readOutbox()).waiting, 0), 20_000);
	const sentTo = server.mails.map(({ to }) => String(to)).sort();
	assert.deepEqual(sentTo, people.map((person) => `${person}@example.com`).sort());
	assert.equal(new Set(server.mails.map(({ headers }) => headers.get('message-id'))).size, PEOPLE);
});

test('a process that is stopped in the middle of a mail gives the others back, and another process sends them', async (t) => {
	const held: (() => void)[] = [];
	const server = await startMailServer(t, {
		onMailFrom(_address, _session, done) {
			held.push(() => done());
			// Only the first one waits.
			if (held.length > 1) done();
		},
	});
	const { store, services, start } = await startServices(t, server.url, 1);
	const people = ['ada', 'bob', 'cyd'];
	for (const person of people) {
		await runAllPeople(store, [invite(person, 'acme'), accept(person, `first of ${person}`)], store.nowMs());
	}
	await Promise.all(people.map((person) => signInAnew(store, person, `second of ${person}`)));
	await eventually(async () => assert.equal(held.length, 1), 20_000);
	await services[0]?.stop();
	const { waiting, failing } = await store.readOutbox();
	assert.deepEqual([waiting, failing], [3, 1], 'the one that was cut off may have arrived, and waits');
	await start();
	await server.received(2);
	await eventually(async () => assert.equal((await store.readOutbox()).waiting, 1), 20_000);
	assert.equal(server.mails.length, 2);
});
