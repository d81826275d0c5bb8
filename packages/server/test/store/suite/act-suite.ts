import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEPT_VERIFICATIONS } from '../../../src/domain/operators/verification.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	createSubUserWith,
	creditReseller,
	giveBalance,
	NOON_MS,
	revokeToken,
	rotateToken,
} from '../../support/commands.ts';
import {
	accept,
	actOf,
	beginVerification,
	by,
	countTry,
	emailOf,
	invite,
	newSession,
	setCodes,
	setLowBalance,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';
import { verificationProgress } from '../../support/records.ts';
import {
	assertSoundLedger,
	balanceOf,
	type Engine,
	endings,
	keepAll,
	run,
	runAll,
	runAllPeople,
	runPeople,
} from './engine.ts';

const NEWEST = Number.MAX_SAFE_INTEGER;

/** Tests acts, which are written in the transaction of their effect, and what is recorded of verifications. */
export function actSuite(engine: Engine): void {
	/** Ada works for acme (session `s1`), bob is an operator (session `s2`). */
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [createReseller('acme', 110), createReseller('other'), createSubUser('acme', 'alice')]);
		await runAllPeople(opened.store, [
			...[invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 's2')],
		]);
		return opened;
	}

	test('what a person did is listed, the newest first, in pages; a refusal is not', async (t) => {
		const { store } = await open(t);
		await runAllPeople(store, [signIn('ada', 's3')], NOON_MS + 1);
		await runPeople(store, [signIn('ada', 's4', { kind: 'password', passwordHash: 'wrong' })], NOON_MS + 2);
		const act = actOf('ada', 's1', 'act 1', 'rotate_token', '…cond');
		await runAll(store, [{ ...rotateToken('acme', 'second', 0), act }], NOON_MS + 3);
		const acts = await store.listActs('ada', NEWEST, 50);
		const { requestId: _, ...listed } = act;
		const ofAda = { person: 'ada', address: '192.0.2.1', details: null };
		const signedIn = { id: 'sign-in s3', session: newSession('s3').id, kind: 'sign_in', target: 'password' };
		const accepted = { session: newSession('s1').id, kind: 'accept_invitation', target: '' };
		assert.deepEqual(
			acts.map(({ number: _number, ...rest }) => rest),
			[
				{ ...listed, details: null, atMs: NOON_MS + 3 },
				{ ...ofAda, ...signedIn, atMs: NOON_MS + 1 },
				{ ...ofAda, id: 'acceptance of link of ada', ...accepted, atMs: NOON_MS },
			],
		);
		const [newest, ...rest] = acts;
		assert.deepEqual(await store.listActs('ada', NEWEST, 1), [newest]);
		assert.deepEqual(await store.listActs('ada', newest?.number ?? 0, 50), rest);
		assert.equal((await store.listActs('bob', NEWEST, 50)).length, 1);
	});

	test('a repeated act changes nothing, whatever it is an act of; a refusal without effect leaves it free', async (t) => {
		const { store, openAnother } = await open(t);
		const another = await openAnother();
		const act = actOf('ada', 's1', 'act 1', 'rotate_token');
		const tooMuch = { ...giveBalance('acme', 'alice', 1000), act };
		const twice = ['second', 'third'].map((hash) => ({ ...rotateToken('acme', hash, 0), act }));
		assert.deepEqual(endings(await run(store, [tooMuch, ...twice])), ['insufficient_balance', 'ok', 'act_repeated']);
		const again = [rotateToken('acme', 'third', 0), revokeToken('acme', 'third'), createNothing('acme')];
		const repeated = again.map((command) => ({ ...command, act }));
		assert.deepEqual(endings(await run(another, repeated, NOON_MS + 60_000)), Array(3).fill('act_repeated'));
		const password = { ...setPassword('ada', 's1', 'new password'), act };
		assert.deepEqual(endings(await runPeople(another, [password])), ['act_repeated']);
		const create = { ...createSubUserWith('acme', 'alice'), act: actOf('ada', 's1', 'act 2', 'create_sub_user') };
		assert.deepEqual(endings(await run(store, [create, create])), ['username_taken', 'act_repeated']);
		assert.deepEqual(endings(await run(another, [create])), ['act_repeated']);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 90, 'it costs its fee once');
		assert.deepEqual(
			(await store.listTokens('acme')).map(({ hash }) => hash),
			['first token of acme', 'second'],
		);
		await runAllPeople(store, [setCodes('ada', 's1')]);
		const codes = await runPeople(store, [setCodes('ada', 's1', 500), setPassword('ada', 's1', 'x', 'set_codes')]);
		assert.deepEqual(endings(codes), ['act_repeated', 'act_repeated']);
		assert.equal((await store.findPersonByEmail(emailOf('ada')))?.codes?.lastStep, 100);
		assert.equal((await store.listActs('ada', NEWEST, 50)).length, 4);
	});

	test('a command about people that cannot be written fails alone, and leaves no trace', async (t) => {
		const { store } = await open(t);
		// The hash of its session is taken.
		const broken = { ...signIn('ada', 's2'), forgives: ['net'] };
		// Its act names another person.
		const wrongAct = { ...setPassword('ada', 's1', 'new password'), act: actOf('bob', 's2', 'act', 'set_password') };
		const answer = await store.runPersonCommands([countTry('net'), broken, wrongAct, signIn('ada', 's3')], NOON_MS);
		if (answer.kind !== 'committed') return assert.fail(answer.kind);
		assert.deepEqual(endings(answer.results), ['ok', 'rules_failed', 'rules_failed', 'ok']);
		assert.equal(answer.faults.length, 2);
		assert.equal((await store.findSession('s2'))?.session.person, 'bob');
		const tries = await runPeople(store, [countTry('net'), countTry('net'), countTry('net')]);
		assert.deepEqual(endings(tries), ['ok', 'ok', 'too_many_tries']);
		const kinds = (await store.listActs('ada', NEWEST, 50)).map(({ id }) => id);
		assert.deepEqual(kinds, ['sign-in s3', 'acceptance of link of ada']);
	});

	test('the request of a person is kept with the act and the ledger row; a payment keeps its reason too', async (t) => {
		const { store, rows } = await open(t);
		const ofBob = { ...actOf('bob', 's2', 'act 1', 'credit_reseller'), requestId: 'of bob' };
		const ofAda = { ...actOf('ada', 's1', 'act 2', 'give_balance'), requestId: 'of ada' };
		await runAll(store, [
			{ ...creditReseller('acme', 7, 'top-up'), act: ofBob, requestId: 'of bob', reason: 'Thanks 🙂' },
			{ ...giveBalance('acme', 'alice', 5), act: ofAda, requestId: 'of ada' },
			creditReseller('acme', 8, 'without'),
		]);
		for (const [requestId, amountCents, person, act] of [
			['of bob', 7, 'bob', ofBob],
			['of ada', 5, 'ada', ofAda],
		] as const) {
			const { movements, acts } = await store.findRequest(requestId);
			const [email, { address, target, kind }] = [emailOf(person), act];
			assert.partialDeepStrictEqual(movements, [{ reseller: 'acme', amountCents, email, requestId }]);
			assert.partialDeepStrictEqual(acts, [{ email, reseller: 'acme', address, target, kind }]);
			assert.deepEqual([movements.length, acts.length], [1, 1]);
		}
		assert.deepEqual(await rows('SELECT reference, request_id, reason FROM top_ups ORDER BY reference'), [
			{ reference: 'top-up', request_id: 'of bob', reason: 'Thanks 🙂' },
			{ reference: 'without', request_id: 'test-request', reason: '' },
		]);
	});

	test("the bound of a reseller's balance is set, changed and removed", async (t) => {
		const { store, rows } = await open(t);
		const bounds = () => rows('SELECT reseller, low_balance_cents AS cents FROM low_balances');
		await runAllPeople(store, [setLowBalance('ada', 's1', 500, 'first'), setLowBalance('ada', 's1', 0, 'second')]);
		assert.deepEqual(await bounds(), [{ reseller: 'acme', cents: 0 }]);
		await assertSoundLedger(store);
		await runAllPeople(store, [setLowBalance('ada', 's1', null, 'third')]);
		assert.deepEqual(await bounds(), []);
	});

	async function openVerifications(t: Parameters<Engine['open']>[0]) {
		const opened = await open(t);
		const list = () =>
			opened.rows(`SELECT id, started_by, started_at_ms, noted_at_ms, ended_at_ms, done, steps, result
				FROM verifications ORDER BY started_at_ms, id`);
		return { ...opened, list };
	}

	test('a verification records its progress and its result; then nothing changes it', async (t) => {
		const { store, list } = await openVerifications(t);
		await runAllPeople(store, [beginVerification('v1', by('bob', 's2', 'verify'))]);
		const begun = { id: 'v1', started_by: emailOf('bob'), started_at_ms: NOON_MS, result: null };
		assert.deepEqual(await list(), [{ ...begun, noted_at_ms: NOON_MS, ended_at_ms: null, done: 0, steps: 0 }]);
		await keepAll(store, [verificationProgress('v1', 3)], NOON_MS + 5);
		assert.deepEqual(await list(), [{ ...begun, noted_at_ms: NOON_MS + 5, ended_at_ms: null, done: 3, steps: 14 }]);
		const problems = '{"problems":3}';
		const ends = [verificationProgress('v1', 4), verificationProgress('v1', 14, problems)];
		await keepAll(store, [...ends, verificationProgress('v1', 1)], NOON_MS + 9);
		const atEnd = { noted_at_ms: NOON_MS + 9, ended_at_ms: NOON_MS + 9, done: 14, steps: 14, result: problems };
		assert.deepEqual(await list(), [{ ...begun, ...atEnd }]);
		await keepAll(store, [verificationProgress('v1', 1, null), verificationProgress('x', 1)]);
		assert.deepEqual(await list(), [{ ...begun, ...atEnd }]);
		await runAllPeople(store, [beginVerification('v2')], NOON_MS + 10);
		await keepAll(store, [verificationProgress('v2', 4, null)], NOON_MS + 11);
		assert.deepEqual((await store.readState()).verification, { endedAtMs: NOON_MS + 9, problems: 3 });
		assert.equal((await store.listActs('bob', NEWEST, 1))[0]?.id, 'verify of bob');
	});

	test('one that was not recorded for a minute has ended, also if the clock was set back', async (t) => {
		const { store, list } = await openVerifications(t);
		await runAllPeople(store, [beginVerification('v1')]);
		await keepAll(store, [verificationProgress('v1', 1)], NOON_MS + 50_000);
		const early = await runPeople(store, [beginVerification('v2')], NOON_MS + 109_999);
		assert.deepEqual(endings(early), ['verification_runs']);
		await runAllPeople(store, [beginVerification('v2')], NOON_MS + 110_000);
		await keepAll(store, [verificationProgress('v1', 14, '{}')], NOON_MS + 110_001);
		await runAllPeople(store, [beginVerification('v3')], NOON_MS - 600_000);
		const ends = (await list()) as { id: string; ended_at_ms: number | null; result: string | null }[];
		assert.deepEqual(
			ends.map(({ id, ended_at_ms, result }) => [id, ended_at_ms, result]),
			[
				['v3', null, null],
				['v1', NOON_MS + 50_000, null],
				['v2', NOON_MS + 110_000, null],
			],
		);
	});

	test('the newest hundred are kept, and the one that begins in any case', async (t) => {
		const { store, list, insert } = await openVerifications(t);
		const times = (atMs: number) => ({ started_at_ms: atMs, noted_at_ms: atMs, ended_at_ms: atMs });
		const earlier = Array.from({ length: KEPT_VERIFICATIONS + 5 }, (_, n) => ({
			...{ id: `v${n}`, started_by: '', done: 14, steps: 14, result: '{}', ...times(NOON_MS + n) },
		}));
		await insert({ verifications: earlier });
		await runAllPeople(store, [beginVerification('set back')], NOON_MS - 999);
		const ids = ((await list()) as { id: string }[]).map(({ id }) => id);
		const kept = Array.from({ length: KEPT_VERIFICATIONS - 1 }, (_, n) => `v${n + 6}`);
		assert.deepEqual(ids, ['set back', ...kept]);
	});
}
