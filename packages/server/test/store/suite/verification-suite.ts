import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEPT_VERIFICATIONS } from '../../../src/domain/operators/verification.ts';
import { createReseller, NOON_MS } from '../../support/commands.ts';
import { verificationProgress } from '../../support/notes.ts';
import { accept, beginVerification, by, emailOf, invite } from '../../support/person-commands.ts';
import { type Engine, endings, noteAll, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests what is noted of verifications of the ledger. */
export function verificationSuite(engine: Engine): void {
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [createReseller('acme')]);
		await runAllPeople(opened.store, [
			...[invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 's2')],
		]);
		const list = () =>
			opened.rows(`SELECT id, started_by, started_at_ms, noted_at_ms, ended_at_ms, done, steps, result
				FROM verifications ORDER BY started_at_ms, id`);
		return { ...opened, list };
	}

	test('a verification notes its progress and its result; then nothing changes it', async (t) => {
		const { store, list } = await open(t);
		await runAllPeople(store, [beginVerification('v1', by('bob', 's2', 'verify'))]);
		const begun = { id: 'v1', started_by: emailOf('bob'), started_at_ms: NOON_MS, result: null };
		assert.deepEqual(await list(), [{ ...begun, noted_at_ms: NOON_MS, ended_at_ms: null, done: 0, steps: 0 }]);
		await noteAll(store, [verificationProgress('v1', 3)], NOON_MS + 5);
		assert.deepEqual(await list(), [{ ...begun, noted_at_ms: NOON_MS + 5, ended_at_ms: null, done: 3, steps: 14 }]);
		await noteAll(store, [verificationProgress('v1', 14, '{}')], NOON_MS + 9);
		const ended = { ...begun, noted_at_ms: NOON_MS + 9, ended_at_ms: NOON_MS + 9, done: 14, steps: 14, result: '{}' };
		assert.deepEqual(await list(), [ended]);
		await noteAll(store, [
			verificationProgress('v1', 1),
			verificationProgress('v1', 1, null),
			verificationProgress('x', 1),
		]);
		assert.deepEqual(await list(), [ended]);
	});

	test('of several that begin at once in several stores, one runs; the others wait for its end', async (t) => {
		const { store, openAnother, list } = await open(t);
		const another = await openAnother();
		const outcomes = await Promise.all(
			Array.from({ length: 6 }, (_, n) =>
				runPeople(n % 2 ? store : another, [
					beginVerification(`v${n}`, n % 3 === 0 ? by('bob', 's2', `verify ${n}`) : {}),
				]),
			),
		);
		assert.deepEqual(endings(outcomes.flat()).toSorted(), ['ok', ...Array(5).fill('verification_runs')]);
		const [runs, ...others] = (await list()) as { id: string }[];
		assert.deepEqual(others, []);
		await noteAll(another, [verificationProgress(runs?.id ?? '', 1, null)]);
		await runAllPeople(store, [beginVerification('next')]);
	});

	test('one that was not noted for a minute has ended, also if the clock was set back', async (t) => {
		const { store, list } = await open(t);
		await runAllPeople(store, [beginVerification('v1')]);
		await noteAll(store, [verificationProgress('v1', 1)], NOON_MS + 50_000);
		assert.deepEqual(endings(await runPeople(store, [beginVerification('v2')], NOON_MS + 109_999)), [
			'verification_runs',
		]);
		await runAllPeople(store, [beginVerification('v2')], NOON_MS + 110_000);
		await noteAll(store, [verificationProgress('v1', 14, '{}')], NOON_MS + 110_001);
		await runAllPeople(store, [beginVerification('v3')], NOON_MS - 600_000);
		const ends = ((await list()) as { id: string; ended_at_ms: number | null; result: string | null }[]).map(
			({ id, ended_at_ms, result }) => [id, ended_at_ms, result],
		);
		assert.deepEqual(ends, [
			['v3', null, null],
			['v1', NOON_MS + 50_000, null],
			['v2', NOON_MS + 110_000, null],
		]);
	});

	test('the newest hundred are kept, and the one that begins in any case', async (t) => {
		const { store, list } = await open(t);
		for (let n = 0; n < KEPT_VERIFICATIONS + 5; n++) {
			await runAllPeople(store, [beginVerification(`v${n}`)], NOON_MS + n);
			await noteAll(store, [verificationProgress(`v${n}`, 14, '{}')], NOON_MS + n);
		}
		await runAllPeople(store, [beginVerification('set back')], NOON_MS - 999);
		const ids = ((await list()) as { id: string }[]).map(({ id }) => id);
		const kept = Array.from({ length: KEPT_VERIFICATIONS - 1 }, (_, n) => `v${n + 6}`);
		assert.deepEqual(ids, ['set back', ...kept]);
	});

	test('only operators begin one, once for each act, in a live session', async (t) => {
		const { store, list } = await open(t);
		const begin = beginVerification('v1', by('bob', 's2', 'verify'));
		await runAllPeople(store, [begin]);
		await noteAll(store, [verificationProgress('v1', 14, '{}')]);
		const refused = [{ ...begin, id: 'v2' }, beginVerification('v3', by('bob', 's1', 'other'))];
		assert.deepEqual(endings(await runPeople(store, refused)), ['act_repeated', 'signed_out']);
		const fault = beginVerification('v4', by('ada', 's1', 'of a reseller'));
		assert.deepEqual(endings(await runPeople(store, [fault])), ['not_allowed']);
		assert.equal((await list()).length, 1);
		const [newest] = await store.listActs('bob', Number.MAX_SAFE_INTEGER, 1);
		assert.equal(newest?.id, 'verify of bob');
	});
}
