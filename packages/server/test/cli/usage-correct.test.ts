import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { startTestService } from '@bursar/testing/service';

async function runJson(dataDir: string, ...args: string[]) {
	const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json']);
	return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
}

test('a day is corrected beside the running service, and the API shows it', async (t) => {
	const server = await startTestService(t);
	const { dataDir } = server.config;
	const { token } = (await runJson(dataDir, 'reseller', 'create', 'acme', '--balance', '1.00')).value;
	const api = resellerApi(server.url, token);
	await api.create({ username: 'alice' });
	// Not today: a test that runs at midnight sees another day.
	const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
	const correct = (up: string, down: string, reference: string, of = day) =>
		runJson(
			dataDir,
			'usage',
			'correct',
			'Alice',
			of,
			'--up',
			up,
			'--down',
			down,
			'--reference',
			reference,
			'--reason',
			'why',
		);
	const first = { username: 'alice', day, up: 500, down: 70, reference: 'a', repeated: false };
	assert.deepEqual((await correct('500', '70', 'a')).value, first);
	assert.deepEqual((await correct('500', '70', 'a')).value, { ...first, repeated: true });
	assert.deepEqual((await correct('-400', '0', 'b')).value, { ...first, up: 100, reference: 'b' });
	const { data } = await api.viewTxs({ username: 'alice' });
	const [record] = data as readonly { date: string; bandwidth: { up: number; down: number } }[];
	assert.deepEqual([record?.bandwidth.up, record?.bandwidth.down], [100, 70]);

	for (const [up, of, code, error] of [
		['-101', day, 1, 'too_few_bytes'],
		['1', '2199-01-01', 1, 'day_ahead'],
		['1', '2026-02-30', 2, 'usage'],
		['1.5', day, 2, 'usage'],
	] as const) {
		const ending = await correct(up, '0', 'c', of);
		assert.deepEqual([ending.code, ending.value.error.code], [code, error]);
	}
	const reused = await correct('500', '0', 'a');
	assert.deepEqual(reused.value.error, {
		code: 'reference_conflict',
		message: 'that reference was already used for something else: nothing was done',
	});
	const { corrections } = (await runJson(dataDir, 'usage', 'corrections', 'alice')).value;
	const { made, request_id, ...newest } = corrections[0];
	assert.deepEqual(newest, { username: 'alice', day, up: -400, down: 0, by: newest.by, reference: 'b', reason: 'why' });
	assert.ok(newest.by.startsWith(userInfo().username));
	assert.ok(Date.now() - Date.parse(made) < 600_000);
	assert.match(request_id, /^cli-/);
	assert.equal(corrections.length, 2);
	const plain = await callBursar(dataDir, ['usage', 'corrections']);
	assert.match(plain.stdout, /^MADE.*REASON\n.*alice +\d{4}-\d{2}-\d{2} +-400 +0 .* b +why\n/);
	assert.equal((await runJson(dataDir, 'ledger', 'verify')).code, 0);
});
