import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MailKind } from '@bursar/contract/dashboard';
import type { PersonCommand } from '../../../src/commands/registry.ts';
import type { TakenMail, TryEnd } from '../../../src/domain/mail/mail.ts';
import type { StoredNotice } from '../../../src/domain/mail/notice.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	judgeUsable,
	NOON_MS,
	postUsage,
	setPrice,
} from '../../support/commands.ts';
import {
	accept,
	by,
	chooseMail,
	forgot,
	invite,
	setLowBalance,
	signIn,
	usePasswordLink,
} from '../../support/person-commands.ts';
import { type Engine, endings, keep, record, run, runAll, runAllPeople, runPeople } from './engine.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Tests the outbox: what is written into it, who takes it, and what becomes of it. */
export function mailSuite(engine: Engine): void {
	test('what fails writes no mail, and what is repeated writes one', async (t) => {
		const { store, openAnother } = await openWithPeople(t, engine);
		const act = { ...by('ada', 's1', 'rotation').by.act, kind: 'rotate_token' };
		const rotation = { ...rotate('t2'), act };
		const wrong = { ...signInNew('ada', 's9'), factor: { kind: 'password', passwordHash: 'another' } as const };
		// The last one names another person than its session, so the rules throw.
		const impossible = { ...rotate('t3'), act: { ...act, id: 'another act', person: 'eve' } };
		assert.deepEqual(endings(await run(store, [rotation, rotation, impossible])), [
			'ok',
			'act_repeated',
			'rules_failed',
		]);
		assert.deepEqual(endings(await runPeople(store, [wrong])), ['factor_changed']);
		const mails = await take(await openAnother());
		assert.deepEqual(mails.map(nameOf), ['ada token_changed 1', 'bob token_changed 1']);
		assert.deepEqual(noticesIn(mails[0]), [{ change: 'rotated', tail: 'tail', by: 'operator', atMs: NOON_MS }]);
	});

	test('without a mail server nothing is written, also after one was taken away again', async (t) => {
		const { store } = await openWithPeople(t, engine, { isOn: false });
		await runAll(store, [rotate('t2')]);
		await keep(store, [{ kind: 'mail_setup', isOn: true }]);
		assert.deepEqual(await take(store), []);
		await keep(store, [{ kind: 'mail_setup', isOn: false }]);
		await runAllPeople(store, [signInNew('ada', 's9')]);
		assert.deepEqual(await take(store, DAY_MS), []);
	});

	test('who gets a mail is known when it happens: their own reseller, not locked, with a password, and as chosen', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [
			...[invite('new', 'acme'), invite('out', 'acme'), accept('out', 's3')],
			{ kind: 'lock_person', email: 'out@example.com' },
			...[invite('zoe', 'other'), accept('zoe', 's4'), invite('olga', null), accept('olga', 's5')],
			chooseMail('bob', 's2', 'token_changed', false),
			chooseMail('ada', 's1', 'exhausted_sub_user', true),
		]);
		await runAll(store, [rotate('t2')]);
		await exhaust(store, 'mailed-1', 'mailed-2');
		const mails = await take(store, DAY_MS);
		assert.deepEqual(mails.map(nameOf), ['ada exhausted_sub_user 1', 'ada token_changed 1']);
		assert.deepEqual(
			noticesIn<'exhausted_sub_user'>(mails[0]).map(({ username }) => username),
			['mailed-1', 'mailed-2'],
		);
	});

	test('a mail is taken once at a time, and again after its process has died; then it is the same mail', async (t) => {
		const { store, openAnother } = await openWithPeople(t, engine);
		const another = await openAnother();
		await runAllPeople(store, [signInNew('ada', 's3')]);
		const taken = (await Promise.all([take(store), take(another)])).flat();
		assert.deepEqual(taken.map(nameOf), ['ada new_sign_in 1']);
		assert.deepEqual(await take(another, 9 * MINUTE_MS), []);
		const [again] = await take(another, 10 * MINUTE_MS);
		assert.deepEqual(again, { ...taken[0], tries: 2 });
		await endTry(another, again, { kind: 'sent' }, 11 * MINUTE_MS);
		// The first process was only slow. What it says late changes nothing.
		await endTry(store, taken[0], { kind: 'failed', failure: 'late' }, 12 * MINUTE_MS);
		assert.deepEqual(await take(store, DAY_MS), []);
		assert.equal((await store.readOutbox()).failing, 0);
	});

	test('resellers take turns: who has many mails that are due delays nobody, and the oldest goes first among equals', async (t) => {
		const { store } = await openWithPeople(t, engine);
		const many = Array.from({ length: 12 }, (_, index) => `many-${index}`);
		for (const person of many) await runAllPeople(store, [invite(person, 'other'), accept(person, person)]);
		await runAllPeople(
			store,
			many.map((person) => signInNew(person, `again-${person}`)),
		);
		await runAllPeople(store, [signInNew('ada', 's3'), signInNew('bob', 's4')], NOON_MS + 1);
		const [first] = await runPeople(store, [{ kind: 'take_mails' }], NOON_MS + 2);
		assert.ok(first && 'mails' in first);
		const people = first.mails.map(({ person }) => person);
		assert.deepEqual(people.slice(0, 4), ['many-0', 'ada', 'many-1', 'bob']);
		assert.equal(people.length, 10);
		assert.equal((await take(store, 2)).length, 4);
	});

	test('what happens while a mail is on its way comes in the next one, a quarter of an hour later', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [signInNew('ada', 's3')]);
		const [first] = await take(store);
		await runAllPeople(store, [signInNew('ada', 'ß "4"\n'), signInNew('ada', 's5')], NOON_MS + 1);
		await endTry(store, first, { kind: 'sent' }, 2);
		assert.deepEqual(await take(store, 15 * MINUTE_MS), []);
		const [second] = await take(store, 15 * MINUTE_MS + 2);
		assert.equal(second && nameOf(second), 'ada new_sign_in 2');
		assert.equal(second?.notices, 2);
		assert.deepEqual(
			noticesIn(second).map(({ atMs }) => atMs),
			[NOON_MS + 1, NOON_MS + 1],
		);
	});

	test('a flood becomes one mail of bounded length', async (t) => {
		const { store, rows } = await openWithPeople(t, engine);
		await runAllPeople(store, [chooseMail('ada', 's1', 'exhausted_sub_user', true)]);
		const names = Array.from({ length: 130 }, (_, index) => `flooded-${index}`);
		await exhaust(store, ...names);
		const mails = await take(store, DAY_MS);
		assert.deepEqual(mails.map(nameOf), ['ada exhausted_sub_user 1']);
		assert.equal(mails[0]?.notices, 130);
		assert.equal(noticesIn(mails[0]).length, 20);
		assert.deepEqual(await rows('SELECT notices, told FROM outbox'), [{ notices: 0, told: '' }]);
	});

	test('a mail that fails is tried again, more and more seldom, and is given up after three days', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [signInNew('ada', 's3')]);
		const [mail] = await take(store);
		let current = mail;
		let atMs = 0;
		for (const minutes of [1, 5, 15, 60, 180, 360, 360]) {
			await endTry(store, current, { kind: 'failed', failure: `${minutes}`.padEnd(500, 'x') }, atMs);
			assert.deepEqual(await take(store, atMs + minutes * MINUTE_MS - 1), []);
			atMs += minutes * MINUTE_MS;
			[current] = await take(store, atMs);
			assert.equal(current?.number, mail?.number);
		}
		await endTry(store, current, { kind: 'failed', failure: '451 at RCPT TO' }, atMs);
		const state = { waiting: 1, failing: 1, failingSinceMs: NOON_MS, failure: '451 at RCPT TO', givenUp: 0 };
		assert.deepEqual(await store.readOutbox(), state);
		const [given] = await runPeople(store, [{ kind: 'take_mails' }], NOON_MS + 3 * DAY_MS + 1);
		assert.deepEqual(given, { ok: true, mails: [], givenUp: 1 });
		const nothing = { waiting: 0, failing: 0, failingSinceMs: null, failure: null, givenUp: 1 };
		assert.deepEqual(await store.readOutbox(), nothing);
	});

	test('a link is mailed with its secret, which is stored sealed, and only until it was mailed', async (t) => {
		const { store, rows } = await openWithPeople(t, engine);
		await runAllPeople(store, [mailedInvitation('new', 'first')]);
		const [mail] = await take(store);
		assert.deepEqual([mail?.mail, mail?.email, mail?.reseller], ['link', 'new@example.com', 'acme']);
		assert.deepEqual(mail?.link, { secret: 'secret of first', reason: 'invited', expiresAtMs: NOON_MS + 3 * DAY_MS });
		for (const table of ['invitations', 'outbox', 'acts', 'people']) {
			assert.equal(JSON.stringify(await rows(`SELECT * FROM ${table}`)).includes('secret of'), false, table);
		}
		await endTry(store, mail, { kind: 'failed', failure: '451' }, 1);
		assert.equal((await take(store, MINUTE_MS + 1))[0]?.link?.secret, 'secret of first');
		await endTry(store, mail, { kind: 'sent' }, 2);
		assert.deepEqual(await rows('SELECT sealed_secret FROM invitations'), [{ sealed_secret: null }]);
		assert.deepEqual(await take(store, DAY_MS), []);
		await runAllPeople(store, [accept('new', 's9', 'first')]);
	});

	test('a link that was used, replaced or is too old is not mailed any more, nor one of a locked person', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [
			...[mailedInvitation('used', 'u'), accept('used', 's8', 'u')],
			...[mailedInvitation('locked', 'l'), { kind: 'lock_person', email: 'locked@example.com' } as const],
			...[mailedInvitation('replaced', 'old'), mailedInvitation('replaced', 'new')],
			{ kind: 'reset_person', email: 'ada@example.com', linkHash: 'shown only' },
		]);
		const mails = await take(store);
		assert.deepEqual(
			mails.map(({ person, link }) => [person, link?.secret]),
			[['replaced', 'secret of new']],
		);
		// It fails, and a new link does not wait as long as the next try would.
		await endTry(store, mails[0], { kind: 'failed', failure: '451' }, 1);
		await runAllPeople(store, [mailedInvitation('replaced', 'newest')], NOON_MS + 2);
		const [newest] = await take(store, 3);
		assert.equal(newest?.link?.secret, 'secret of newest');
		await endTry(store, mails[0], { kind: 'sent' }, 4);
		await endTry(store, newest, { kind: 'failed', failure: '451' }, 5);
		assert.deepEqual(await take(store, 4 * DAY_MS), []);
		assert.equal((await store.readOutbox()).waiting, 0);
	});

	test('who asks for a new password has a mail with that link, one row however often, and one about the change', async (t) => {
		const { store, rows } = await openWithPeople(t, engine);
		for (const link of ['f1', 'f2', 'f3', 'f4']) await runAllPeople(store, [forgot('ada', link)]);
		await runAllPeople(store, [forgot('nobody', 'f5')]);
		const [mail, ...others] = await take(store);
		assert.deepEqual(others, []);
		const link = { secret: 'secret of f3', reason: 'forgotten', expiresAtMs: NOON_MS + 60 * MINUTE_MS } as const;
		assert.deepEqual(mail?.link, link);
		await endTry(store, mail, { kind: 'sent' });
		await runAllPeople(store, [usePasswordLink('f3', 'new')], NOON_MS + 1);
		const [told] = await take(store, 2);
		assert.equal(told && nameOf(told), 'ada password_changed 1');
		await endTry(store, told, { kind: 'sent' }, 3);
		assert.deepEqual(noticesIn(told), [{ by: 'link', address: '192.0.2.9', atMs: NOON_MS + 1 }]);
		assert.equal((await rows('SELECT * FROM outbox')).length, 2);
		await runAllPeople(store, [forgot('ada', 'f6')], NOON_MS + 60 * MINUTE_MS);
		assert.deepEqual((await take(store, 60 * MINUTE_MS)).map(nameOf), ['ada link 2']);
	});

	test('a secret that an older version has left beside another link is not mailed', async (t) => {
		const { store, corrupt } = await openWithPeople(t, engine);
		await runAllPeople(store, [mailedInvitation('new', 'first'), signInNew('ada', 's3')]);
		await corrupt("UPDATE invitations SET hash = 'second'");
		assert.deepEqual((await take(store)).map(nameOf), ['ada new_sign_in 1']);
	});

	test('a mail that was not tried waits no longer, and one that is refused for ever is given up', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [signInNew('ada', 's3')]);
		const [mail] = await take(store);
		await endTry(store, mail, { kind: 'back' });
		const [again] = await take(store);
		assert.deepEqual(again, mail);
		await endTry(store, again, { kind: 'given_up' });
		assert.equal((await store.readOutbox()).givenUp, 1);
		assert.equal(await store.hasDueMail(NOON_MS), false);
	});

	test('mails go on if the clock was ahead when they were written', async (t) => {
		const { store } = await openWithPeople(t, engine);
		const yearMs = 365 * DAY_MS;
		await runAllPeople(store, [signInNew('ada', 's3')], NOON_MS + yearMs);
		assert.deepEqual((await take(store)).map(nameOf), ['ada new_sign_in 1']);
	});

	test('who wants no more mails, or is locked, gets none that wait', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [chooseMail('ada', 's1', 'exhausted_sub_user', true)]);
		await exhaust(store, 'mailed-3');
		await runAllPeople(store, [chooseMail('ada', 's1', 'exhausted_sub_user', false), signInNew('bob', 's8')]);
		await runAllPeople(store, [{ kind: 'lock_person', email: 'bob@example.com' }]);
		assert.deepEqual(await take(store), []);
		await runAllPeople(store, [{ kind: 'unlock_person', email: 'bob@example.com' }]);
		assert.deepEqual(await take(store, DAY_MS), []);
	});

	test('a notice that was written while its person was removed is not sent, and does not wait for ever', async (t) => {
		const { store, insert } = await openWithPeople(t, engine);
		const of = { person: 'removed', kind: 'token_changed', notices: 1, told: '{}\n', next_at_ms: 0 };
		await insert({ outbox: [of] });
		assert.equal(await store.hasDueMail(NOON_MS), false);
		assert.deepEqual(await take(store), []);
		assert.equal((await store.readOutbox()).waiting, 0);
	});

	test('who has stolen a session cannot take back the mail about it', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAll(store, [rotate('t2')]);
		await runAllPeople(store, [
			...[signInNew('ada', 's8'), chooseMail('ada', 's8', 'new_sign_in', false)],
			...[chooseMail('ada', 's8', 'token_changed', false), signInNew('ada', 's9')],
		]);
		const [signedIn, changed] = (await take(store)).filter(({ person }) => person === 'ada');
		assert.deepEqual([signedIn?.mail, signedIn?.notices, changed?.mail], ['new_sign_in', 1, 'token_changed']);
	});

	test('a choice is an act and is made once; the link of a mail stops one kind for one person', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [invite('olga', null), accept('olga', 's5')]);
		const stop: PersonCommand = {
			...{ kind: 'stop_mail', person: 'ada', mail: 'new_sign_in' },
			recorded: { id: 'stop', kind: 'stop_mail', target: 'new_sign_in', requestId: 'r', person: 'ada', address: 'a' },
		};
		const outcomes = await runPeople(store, [
			...[chooseMail('ada', 's1', 'low_balance', true), chooseMail('ada', 's1', 'token_changed', true)],
			...[chooseMail('ada', 's1', 'silent_edge', true), chooseMail('olga', 's5', 'low_balance', true)],
			...[stop, stop, { ...stop, person: 'nobody' }],
		]);
		assert.deepEqual(endings(outcomes), [
			...['ok', 'ok', 'unknown_mail', 'unknown_mail'],
			...['ok', 'ok', 'unknown_mail'],
		]);
		const acts = (await store.listActs('ada', Number.MAX_SAFE_INTEGER, 10)).map(({ id }) => id);
		assert.deepEqual(acts.slice(0, 2), ['stop', 'low_balance true of ada']);
		const choices = await store.findMailChoices('ada');
		assert.deepEqual([choices.new_sign_in, choices.low_balance, choices.token_changed], [false, true, true]);
		assert.equal((await store.findMailChoices('bob')).new_sign_in, true);
	});

	test('an alarm is mailed once until it ends, in all processes', async (t) => {
		const { store, openAnother } = await openWithPeople(t, engine);
		const another = await openAnother();
		await runAllPeople(store, [invite('olga', null), accept('olga', 's5')]);
		const facts = { edge: 'eu-1', lastSeenAtMs: 1 };
		const notice = { kind: 'silent_edge', to: 'operators', atMs: NOON_MS, facts } as const;
		const raise: PersonCommand = { kind: 'raise_alarm', subject: 'eu-1', notice };
		await Promise.all([store, another].map((each) => runAllPeople(each, [raise])));
		const [mail] = await take(store);
		assert.deepEqual(noticesIn(mail), [{ ...facts, atMs: NOON_MS }]);
		assert.deepEqual(await store.listAlarms('silent_edge'), ['eu-1']);
		await runAllPeople(store, [{ kind: 'end_alarm', alarm: 'silent_edge', subject: 'eu-1' }]);
		assert.deepEqual(await store.listAlarms('silent_edge'), []);
	});

	test('a low balance is told once until it is not low any more; below another threshold it is low anew', async (t) => {
		const { store } = await openWithPeople(t, engine);
		await runAllPeople(store, [chooseMail('ada', 's1', 'low_balance', true), setLowBalance('ada', 's1', 6_000)]);
		const judge = () => runAll(store, [judgeUsable('acme', 'acme')]);
		const told = async () =>
			(await store.listWarned({ atMs: NOON_MS, after: undefined, limit: 10 })).map((account) => account.told);
		assert.deepEqual(await told(), [null]);
		await judge();
		await judge();
		assert.deepEqual(await told(), ['balance_low']);
		const facts = { balanceCents: 5_000, lowBalanceCents: 6_000 };
		const [mail] = await take(store);
		assert.deepEqual(noticesIn(mail), [{ ...facts, atMs: NOON_MS }]);
		await runAllPeople(store, [setLowBalance('ada', 's1', 7_000, 'higher')]);
		assert.deepEqual(await told(), [null]);
		await judge();
		await runAll(store, [creditReseller('acme', 3_000, 'enough')]);
		await judge();
		assert.deepEqual(await told(), [null]);
		const events = (await store.readEvents({ reseller: 'acme', after: 0, limit: 100 }))?.events ?? [];
		assert.deepEqual(
			events.filter(({ type }) => type === 'reseller.balance_low').map(({ data }) => JSON.parse(data)),
			[
				{ balance: 5_000, threshold: 6_000 },
				{ balance: 5_000, threshold: 7_000 },
			],
		);
	});
}

/** A reseller with Ada, in the session s1, and Bob, in s2, a second reseller, and a service that sends mail. */
async function openWithPeople(t: TestContext, engine: Engine, { isOn = true } = {}) {
	const opened = await engine.open(t);
	await runAll(opened.store, [createReseller('acme', 5_000), createReseller('other')]);
	await runAllPeople(opened.store, [
		...[invite('ada', 'acme'), accept('ada', 's1'), invite('bob', 'acme'), accept('bob', 's2')],
	]);
	await keep(opened.store, [{ kind: 'mail_setup', isOn }]);
	return opened;
}

function mailedInvitation(person: string, link: string) {
	return { ...invite(person, 'acme', link), linkSecret: `secret of ${link}` };
}

function rotate(tokenHash: string) {
	const token = { tokenHash, tokenTail: 'tail', madeBy: 'operator' };
	return { kind: 'rotate_token', reseller: 'acme', requestId: 'r', overlapMs: 0, ...token } as const;
}

function signInNew(person: string, session: string) {
	const command = signIn(person, session);
	return { ...command, session: { ...command.session, isNewBrowser: true } };
}

/** Gives these sub-users a cent each, and lets them use it up. */
async function exhaust(store: Store, ...names: readonly string[]): Promise<void> {
	await runAll(store, [setPrice('acme', 1_000_000)]);
	for (const name of names) await runAll(store, [createSubUser('acme', name), giveBalance('acme', name, 1)]);
	await record(
		store,
		names.map((username) => ({
			source: 's',
			id: username,
			username,
			atMs: NOON_MS,
			bytesUp: 20_000_000,
			bytesDown: 0,
		})),
	);
	for (let index = 0; index < names.length; index += 100) {
		await runAll(store, [postUsage('acme', ...names.slice(index, index + 100))]);
	}
}

async function take(store: Store, afterMs = 0): Promise<readonly TakenMail[]> {
	const [outcome] = await runPeople(store, [{ kind: 'take_mails' }], NOON_MS + afterMs);
	assert.ok(outcome && 'mails' in outcome);
	return outcome.mails.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

async function endTry(store: Store, mail: TakenMail | undefined, end: TryEnd, afterMs = 0): Promise<void> {
	assert.ok(mail);
	await runAllPeople(store, [{ kind: 'end_try', mail, end }], NOON_MS + afterMs);
}

function nameOf({ person, mail, number }: TakenMail): string {
	return `${person} ${mail} ${number}`;
}

function noticesIn<Kind extends MailKind>(mail: TakenMail | undefined): readonly StoredNotice<Kind>[] {
	const lines = (mail?.noticeLines ?? '').split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as StoredNotice<Kind>);
}
