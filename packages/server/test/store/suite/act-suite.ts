import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bank, createBank } from '../../../src/bank/bank.ts';
import { SESSION_IDLE_MS } from '../../../src/domain/people/person.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	revokeToken,
	rotateToken,
} from '../../support/commands.ts';
import {
	accept,
	actOf,
	countTry,
	emailOf,
	invite,
	newSession,
	setCodes,
	setLowBalance,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';
import { assertSoundLedger, balanceOf, type Engine, endings, run, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests what people may do, and acts: what they did, in the transaction of its effect. */
export function actSuite(engine: Engine): void {
	test('what a person did is listed, the newest first, in pages; a refusal is not', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 's2')]);
		await runAllPeople(store, [signIn('ada', 's3')], NOON_MS + 1);
		await runPeople(store, [signIn('ada', 's4', { kind: 'password', passwordHash: 'wrong' })], NOON_MS + 2);
		const act = actOf('ada', 's1', 'act 1', 'rotate_token', '…cond');
		const rotated = await run(store, [{ ...rotateToken('acme', 'second', 0), act }], NOON_MS + 3);
		assert.deepEqual(endings(rotated), ['ok']);
		const acts = await store.listActs('ada', Number.MAX_SAFE_INTEGER, 50);
		const address = '192.0.2.1';
		const { requestId: _, ...listed } = act;
		const signedIn = { id: 'sign-in s3', session: newSession('s3').id, kind: 'sign_in', target: 'password' };
		const accepted = { session: newSession('s1').id, kind: 'accept_invitation', target: '' };
		assert.deepEqual(
			acts.map(({ number: _number, ...rest }) => rest),
			[
				{ ...listed, atMs: NOON_MS + 3 },
				{ person: 'ada', address, ...signedIn, atMs: NOON_MS + 1 },
				{ id: 'acceptance of link of ada', person: 'ada', address, ...accepted, atMs: NOON_MS },
			],
		);
		const [newest, ...rest] = acts;
		assert.deepEqual(await store.listActs('ada', Number.MAX_SAFE_INTEGER, 1), [newest]);
		assert.deepEqual(await store.listActs('ada', newest?.number ?? 0, 50), rest);
		assert.equal((await store.listActs('bob', Number.MAX_SAFE_INTEGER, 50)).length, 1);
	});

	test('a repeated act changes nothing, whatever it is an act of', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme', 100), createReseller('other')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
		const act = actOf('ada', 's1', 'act 1', 'rotate_token');
		assert.deepEqual(
			endings(
				await run(store, [
					{ ...rotateToken('acme', 'second', 0), act },
					{ ...rotateToken('acme', 'third', 0), act },
				]),
			),
			['ok', 'act_repeated'],
		);
		const again = [
			{ ...rotateToken('acme', 'third', 0), act },
			{ ...revokeToken('acme', 'third'), act },
			{ ...rotateToken('other', 'of other', 0), act },
			{ ...createNothing('acme'), act },
		];
		assert.deepEqual(endings(await run(another, again, NOON_MS + 600_000)), Array(4).fill('act_repeated'));
		assert.equal(await balanceOf(store, 'acme', 'acme'), 100);
		assert.deepEqual(
			(await store.listTokens('acme')).map(({ hash }) => hash),
			['first token of acme', 'second'],
		);
		const password = { ...setPassword('ada', 's1', 'new password'), act };
		assert.deepEqual(endings(await runPeople(another, [password])), ['act_repeated']);
		await runAllPeople(store, [setCodes('ada', 's1')]);
		const repeated = await runPeople(store, [setCodes('ada', 's1', 500), setPassword('ada', 's1', 'x', 'set_codes')]);
		assert.deepEqual(endings(repeated), ['act_repeated', 'act_repeated']);
		assert.equal((await store.findPersonByEmail(emailOf('ada')))?.codes?.lastStep, 100);
		assert.equal((await store.listActs('ada', Number.MAX_SAFE_INTEGER, 50)).length, 3);
	});

	test('of acts that are repeated through the banks of two services, each has one effect', async (t) => {
		const { store, openAnother, transfers } = await engine.open(t);
		const banks = [store, await openAnother()].map((each) =>
			createBank(each, { observer: { batchDone() {}, fault() {} } }),
		);
		const [bank, other] = banks as [Bank, Bank];
		await runAll(store, [createReseller('acme', 100)]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')], store.nowMs());
		const rotate = { ...rotateToken('acme', 'second', 0), act: actOf('ada', 's1', 'act 1', 'rotate_token') };
		const create = { ...createNothing('acme'), act: actOf('ada', 's1', 'act 2', 'create_sub_user') };
		const password = setPassword('ada', 's1', 'new password');
		const all = [
			...[bank, other, bank].map((each) => each.submit(rotate)),
			...[bank, other, bank].map((each) => each.submit(create)),
			...[bank, other, bank].map((each) => each.changePerson(password)),
		];
		const ends = endings(await Promise.all(all));
		assert.deepEqual(ends.slice(0, 3).toSorted(), ['act_repeated', 'act_repeated', 'ok']);
		assert.deepEqual(ends.slice(3, 6).toSorted(), ['act_repeated', 'act_repeated', 'no_usable_username']);
		assert.deepEqual(ends.slice(6).toSorted(), ['act_repeated', 'act_repeated', 'ok']);
		assert.deepEqual(
			endings([await bank.submit(rotate), await other.submit(create), await bank.changePerson(password)]),
			[...Array(3).fill('act_repeated')],
		);
		assert.equal((await store.listTokens('acme')).length, 2);
		assert.deepEqual(
			(await transfers('acme')).map(({ kind }) => kind),
			['top_up', 'create_fee'],
		);
	});

	test('a refused create that costs its fee costs it once for each act', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100)]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
		const create = { ...createNothing('acme'), act: actOf('ada', 's1', 'act 1', 'create_sub_user') };
		assert.deepEqual(endings(await run(store, [create, create])), ['no_usable_username', 'act_repeated']);
		assert.deepEqual(endings(await run(store, [create])), ['act_repeated']);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 90);
	});

	test('a refusal without effect leaves the act free', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme'), rotateToken('acme', 'second', 0)]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
		const act = actOf('ada', 's1', 'act 1', 'rotate_token');
		assert.deepEqual(endings(await run(store, [{ ...rotateToken('acme', 'third', 0), act }])), ['rotation_pending']);
		assert.deepEqual(endings(await run(store, [{ ...revokeToken('acme', 'third'), act }])), ['ok']);
	});

	test('of the same act in several stores at once, also about money and people, one has an effect', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		const resellers = ['acme', 'other', 'third'];
		await runAll(
			store,
			resellers.map((reseller) => createReseller(reseller)),
		);
		// An operator: only operators end the tokens of any reseller.
		await runAllPeople(store, [invite('ada', null), accept('ada', 's1')]);
		for (let round = 0; round < 5; round++) {
			const act = actOf('ada', 's1', `act ${round}`, 'end_all_tokens');
			const outcomes = await Promise.all([
				...resellers.map((reseller, n) =>
					run(n % 2 ? store : another, [{ ...revokeToken(reseller, `${reseller} ${round}`), act }]),
				),
				runPeople(store, [{ ...setPassword('ada', 's1', `password ${round}`), act }]),
				runPeople(another, [{ ...setPassword('ada', 's1', `other ${round}`), act }]),
			]);
			assert.deepEqual(endings(outcomes.flat()).toSorted(), [...Array(4).fill('act_repeated'), 'ok']);
		}
	});

	test('a session that has ended, or whose proof is old, changes no token and no money', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100)]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), invite('bob', 'acme'), accept('bob', 's2')]);
		let acts = 0;
		const endingsAt = async (nowMs: number) => {
			const act = () => actOf('ada', 's1', `act ${acts++}`, 'any');
			const commands = [rotateToken('acme', 'second', 0), revokeToken('acme', 'third'), createNothing('acme')];
			return endings(
				await run(
					await openAnother(),
					commands.map((command) => ({ ...command, act: act() })),
					nowMs,
				),
			);
		};
		const afterProof = await endingsAt(NOON_MS + 300_000);
		assert.deepEqual(afterProof, ['proof_required', 'proof_required', 'no_usable_username']);
		assert.deepEqual(await endingsAt(NOON_MS + SESSION_IDLE_MS), Array(3).fill('signed_out'));
		const passwordLater = await runPeople(store, [setPassword('ada', 's1', 'x')], NOON_MS + 300_000);
		assert.deepEqual(endings(passwordLater), ['proof_required']);
		const ofOther = { ...rotateToken('acme', 'second', 0), act: actOf('ada', 's2', 'act of other', 'any') };
		const answer = await store.runCommands([ofOther], NOON_MS);
		assert.deepEqual(answer.kind === 'committed' && endings(answer.results), ['rules_failed']);
		await runAllPeople(store, [{ kind: 'lock_person', email: emailOf('ada') }]);
		assert.deepEqual(await endingsAt(NOON_MS + 1), Array(3).fill('signed_out'));
		assert.deepEqual(
			(await store.listTokens('acme')).map(({ hash }) => hash),
			['first token of acme'],
		);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 90);
	});

	test('a command about people that cannot be written fails alone, and leaves no trace', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 's2')]);
		// The hash of its session is taken.
		const broken = { ...signIn('ada', 's2'), forgives: ['net'] };
		// Its act names another person.
		const wrongAct = { ...setPassword('ada', 's1', 'new password'), act: actOf('bob', 's2', 'act', 'set_password') };
		const answer = await store.runPersonCommands([countTry('net'), broken, wrongAct, signIn('ada', 's3')], NOON_MS);
		if (answer.kind !== 'committed') return assert.fail(answer.kind);
		assert.deepEqual(endings(answer.results), ['ok', 'rules_failed', 'rules_failed', 'ok']);
		assert.equal(answer.faults.length, 2);
		assert.equal((await store.findSession('s2'))?.session.person, 'bob');
		assert.deepEqual(endings(await runPeople(store, [countTry('net'), countTry('net'), countTry('net')])), [
			...['ok', 'ok', 'too_many_tries'],
		]);
		const kinds = (await store.listActs('ada', Number.MAX_SAFE_INTEGER, 50)).map(({ id }) => id);
		assert.deepEqual(kinds, ['sign-in s3', 'acceptance of link of ada']);
	});

	test('a person gives no command of another reseller, and an operator none of a reseller', async (t) => {
		const { store } = await openedForTwo(engine, t);
		const forbidden = [
			{ ...giveBalance('other', 'bruno', 5), act: actOf('ada', 's1', 'act 1', 'give_balance') },
			{ ...creditReseller('acme', 5, 'own'), act: actOf('ada', 's1', 'act 2', 'credit_reseller') },
			{ ...giveBalance('acme', 'alice', 5), act: actOf('bob', 's2', 'act 3', 'give_balance') },
		];
		const answer = await store.runCommands(forbidden, NOON_MS);
		assert.deepEqual(answer.kind === 'committed' && endings(answer.results), Array(3).fill('not_allowed'));
		for (const [reseller, username] of [
			['other', 'bruno'],
			['acme', 'alice'],
		] as const) {
			assert.equal(await balanceOf(store, reseller, username), 0);
		}
		assert.equal((await store.listActs('ada', Number.MAX_SAFE_INTEGER, 50)).length, 1);
	});

	test('the request of a person is kept with the act and the ledger row; a payment keeps its reason too', async (t) => {
		const { store, rows } = await openedForTwo(engine, t);
		const ofBob = { ...actOf('bob', 's2', 'act 1', 'credit_reseller'), requestId: 'of bob' };
		const ofAda = { ...actOf('ada', 's1', 'act 2', 'give_balance'), requestId: 'of ada' };
		await runAll(store, [
			{ ...creditReseller('acme', 7, 'top-up'), act: ofBob, requestId: 'of bob', reason: 'Thanks 🙂' },
			{ ...giveBalance('acme', 'alice', 5), act: ofAda, requestId: 'of ada' },
			creditReseller('acme', 8, 'without'),
		]);
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

	test("the bound of a reseller's balance is set, changed and removed by its people, once for each act", async (t) => {
		const { store, rows, openAnother } = await openedForTwo(engine, t);
		const bounds = () => rows('SELECT reseller, low_balance_cents AS cents FROM low_balances ORDER BY reseller');
		await runAllPeople(store, [setLowBalance('ada', 's1', 500, 'first'), setLowBalance('ada', 's1', 0, 'second')]);
		assert.deepEqual(await bounds(), [{ reseller: 'acme', cents: 0 }]);
		const repeated = await runPeople(await openAnother(), [setLowBalance('ada', 's1', 700, 'first')]);
		assert.deepEqual(endings(repeated), ['act_repeated']);
		await runAllPeople(store, [setLowBalance('ada', 's1', null, 'third')]);
		assert.deepEqual(await bounds(), []);
		await assertSoundLedger(store);
	});
}

/** Ada works for acme, bob is an operator. */
async function openedForTwo(engine: Engine, t: Parameters<Engine['open']>[0]) {
	const opened = await engine.open(t);
	await runAll(opened.store, [createReseller('acme', 1000), createReseller('other', 1000)]);
	await runAll(opened.store, [createSubUser('acme', 'alice'), createSubUser('other', 'bruno')]);
	await runAllPeople(opened.store, [
		...[invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 's2')],
	]);
	return opened;
}
