import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/domain/command.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	resetAuthKey,
	revokeToken,
	rotateToken,
	takeBalance,
} from '../../support/commands.ts';
import {
	accept,
	actOf,
	by,
	emailOf,
	invite,
	newSession,
	setLowBalance,
	showAuthKey,
} from '../../support/person-commands.ts';
import { assertSoundLedger, balanceOf, type Engine, endings, run, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests who may do what, and what is kept of it. */
export function rightsSuite(engine: Engine): void {
	/** Ada works for acme, bob is an operator. */
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [createReseller('acme', 1000), createReseller('other', 1000)]);
		await runAll(opened.store, [createSubUser('acme', 'alice'), createSubUser('other', 'bruno')]);
		await runAllPeople(opened.store, [
			...[invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 's2')],
		]);
		return opened;
	}

	let acts = 0;
	function asked(person: 'ada' | 'bob', command: Command): Command {
		return { ...command, act: actOf(person, person === 'ada' ? 's1' : 's2', `act ${acts++}`, command.kind) };
	}

	test('a person gives only the commands of their own reseller, and only operators those of operators', async (t) => {
		const { store, rows } = await open(t);
		const forbidden = [
			...[giveBalance('other', 'bruno', 5), takeBalance('other', 'bruno', 5), createSubUser('other', 'newone')],
			...[resetAuthKey('other', 'bruno', 1), rotateToken('other', 'x', 0), revokeToken('other', 'y')],
			...[createReseller('acme2'), creditReseller('acme', 5, 'own'), creditReseller('other', 5, 'others')],
		].map((command) => asked('ada', command));
		const ofOperator = [
			...[giveBalance('acme', 'alice', 5), takeBalance('acme', 'alice', 5), createSubUser('acme', 'newone')],
			...[resetAuthKey('acme', 'alice', 1), rotateToken('acme', 'x', 0)],
		].map((command) => asked('bob', command));
		const tables = ['accounts', 'transfers', 'tokens', 'top_ups', 'acts'];
		const all = async () => {
			const found: object[] = [];
			for (const table of tables) found.push(...(await rows(`SELECT * FROM ${table} ORDER BY 1, 2`)));
			return found;
		};
		const before = await all();
		for (const command of [...forbidden, ...ofOperator]) {
			const answer = await store.runCommands([command], NOON_MS);
			assert.deepEqual(answer.kind === 'committed' && endings(answer.results), ['rules_failed'], command.kind);
		}
		assert.deepEqual(await all(), before);

		const allowed = [
			...[giveBalance('acme', 'alice', 5), takeBalance('acme', 'alice', 5), createSubUser('acme', 'newone')],
			...[resetAuthKey('acme', 'alice', 1), rotateToken('acme', 'x', 0), revokeToken('acme', 'y')],
		].map((command) => asked('ada', command));
		const allowedToOperator = [
			...[createReseller('third', 5), creditReseller('acme', 7, 'top-up'), creditReseller('acme', -2, 'adjustment')],
			revokeToken('other', 'z'),
		].map((command) => asked('bob', command));
		await runAll(store, [...allowed, ...allowedToOperator]);
		await assertSoundLedger(store);
	});

	test('the request of a person is kept with the act and the ledger row; a payment keeps its reason too', async (t) => {
		const { store, rows } = await open(t);
		const payment = { ...asked('bob', creditReseller('acme', 7, 'top-up')), requestId: 'of bob', reason: 'Thanks 🙂' };
		const gift = { ...asked('ada', giveBalance('acme', 'alice', 5)), requestId: 'of ada' };
		const named = (command: Command): Command =>
			command.act ? { ...command, act: { ...command.act, requestId: command.requestId } } : command;
		await runAll(store, [named(payment), named(gift), creditReseller('acme', 8, 'without')]);
		assert.deepEqual(
			await rows(`SELECT kind, person, acts.request_id FROM acts
				WHERE request_id IN (SELECT request_id FROM transfers) ORDER BY number`),
			[
				{ kind: 'credit_reseller', person: 'bob', request_id: 'of bob' },
				{ kind: 'give_balance', person: 'ada', request_id: 'of ada' },
			],
		);
		assert.deepEqual(await rows('SELECT reference, request_id, reason FROM top_ups ORDER BY reference'), [
			{ reference: 'top-up', request_id: 'of bob', reason: 'Thanks 🙂' },
			{ reference: 'without', request_id: 'test-request', reason: '' },
		]);
	});

	test('a repeat of a payment keeps the first reason and request; a reason that cannot be read is refused', async (t) => {
		const { store, rows } = await open(t);
		const payment = { ...creditReseller('acme', 7, 'r'), reason: 'first' };
		await runAll(store, [payment, { ...payment, reason: 'second', requestId: 'second' }]);
		const unreadable = { ...creditReseller('acme', 7, 'r2'), reason: 'two\nlines' };
		assert.deepEqual(endings(await run(store, [unreadable])), ['invalid_reason']);
		assert.deepEqual(await rows('SELECT request_id, reason FROM top_ups'), [
			{ request_id: 'test-request', reason: 'first' },
		]);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 1000 - 10 + 7);
	});

	test('moving money and creating resellers as an operator needs a fresh proof', async (t) => {
		const { store } = await open(t);
		const later = NOON_MS + 300_000;
		const commands = [createReseller('third'), creditReseller('acme', 7, 'r'), revokeToken('acme', 'x')];
		const old = await run(
			store,
			commands.map((command) => asked('bob', command)),
			later,
		);
		assert.deepEqual(endings(old), Array(3).fill('proof_required'));
		const gift = await run(store, [asked('ada', giveBalance('acme', 'alice', 1))], later);
		assert.deepEqual(endings(gift), ['ok']);
	});

	test("the bound of a reseller's balance is set, changed and removed by its people, once for each act", async (t) => {
		const { store, rows, openAnother } = await open(t);
		const bounds = () => rows('SELECT reseller, low_balance_cents AS cents FROM low_balances ORDER BY reseller');
		await runAllPeople(store, [setLowBalance('ada', 's1', 500, 'first'), setLowBalance('ada', 's1', 0, 'second')]);
		assert.deepEqual(await bounds(), [{ reseller: 'acme', cents: 0 }]);
		const repeated = await runPeople(await openAnother(), [setLowBalance('ada', 's1', 700, 'first')]);
		assert.deepEqual(endings(repeated), ['act_repeated']);
		const refused = [setLowBalance('ada', 's1', -1), setLowBalance('ada', 's1', 0.5), setLowBalance('bob', 's2', 1)];
		assert.deepEqual(endings(await runPeople(store, refused)), [
			...['invalid_amount', 'invalid_amount', 'not_for_operators'],
		]);
		assert.deepEqual(endings(await runPeople(store, [setLowBalance('ada', 's2', 1)])), ['signed_out']);
		assert.deepEqual(await bounds(), [{ reseller: 'acme', cents: 0 }]);
		await runAllPeople(store, [setLowBalance('ada', 's1', null, 'third')]);
		assert.deepEqual(await bounds(), []);
		await runAllPeople(store, [
			setLowBalance('ada', 's1', null, 'unchanged'),
			setLowBalance('ada', 's1', 5, 'fourth'),
			setLowBalance('ada', 's1', 5, 'unchanged too'),
		]);
		assert.deepEqual(await bounds(), [{ reseller: 'acme', cents: 5 }]);
		const acts = await store.listActs('ada', Number.MAX_SAFE_INTEGER, 5);
		assert.deepEqual(
			acts.filter(({ kind }) => kind === 'set_low_balance').map(({ id }) => id),
			['fourth', 'third', 'second', 'first'].map((id) => `${id} of ada`),
		);
		await assertSoundLedger(store);
	});

	test('a shown key is an act, and a repeated one is not shown', async (t) => {
		const { store } = await open(t);
		const show = showAuthKey('ada', 's1', 'show');
		assert.deepEqual(endings(await runPeople(store, [show, show])), ['ok', 'act_repeated']);
		const refused = await runPeople(store, [showAuthKey('bob', 's2'), showAuthKey('ada', 'gone')]);
		assert.deepEqual(endings(refused), ['not_for_operators', 'signed_out']);
		const [newest] = await store.listActs('ada', Number.MAX_SAFE_INTEGER, 1);
		assert.equal(newest?.kind, 'show_auth_key');
	});

	test('an operator invites once for each act, with a fresh proof; nobody else invites from a page', async (t) => {
		const { store } = await open(t);
		const cara = { ...invite('cara', 'acme'), ...by('bob', 's2', 'invitation') };
		assert.deepEqual(endings(await runPeople(store, [cara], NOON_MS + 300_000)), ['proof_required']);
		const again = { ...cara, linkHash: 'another link' };
		assert.deepEqual(endings(await runPeople(store, [cara, again])), ['ok', 'act_repeated']);
		assert.equal((await store.findPersonByEmail(emailOf('cara')))?.invitation?.hash, 'link of cara');
		const taken = { ...invite('ada', 'acme', 'x'), ...by('bob', 's2', 'second') };
		const unknown = { ...invite('dora', 'nobody'), ...by('bob', 's2', 'third') };
		const signedOut = { ...invite('dora', 'acme'), ...by('bob', 's1', 'fourth') };
		assert.deepEqual(endings(await runPeople(store, [taken, unknown, signedOut])), [
			...['email_taken', 'unknown_reseller', 'signed_out'],
		]);
		const faults = [
			{ ...invite('dora', 'acme'), ...by('ada', 's1', 'fifth') },
			{ ...invite('ada', 'acme', 'way in'), purpose: 'sign_in', ...by('bob', 's2', 'sixth') } as const,
		];
		const answer = await store.runPersonCommands(faults, NOON_MS);
		assert.deepEqual(answer.kind === 'committed' && endings(answer.results), ['rules_failed', 'rules_failed']);
		assert.equal(await store.findPersonByEmail(emailOf('dora')), undefined);
		assert.equal((await store.findPersonByEmail(emailOf('ada')))?.invitation, undefined);
		const acts = await store.listActs('bob', Number.MAX_SAFE_INTEGER, 50);
		assert.deepEqual(
			acts.map(({ id, session }) => [id, session]),
			[
				['invitation of bob', newSession('s2').id],
				['acceptance of link of bob', newSession('s2').id],
			],
		);
	});
}
