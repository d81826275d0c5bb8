import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Command } from '../../../../src/commands/registry.ts';
import { newProxyAuthkey } from '../../../../src/credentials.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const GIFTS = 24_000;
const IN_A_BATCH = 2_000;
/** All rows together would take several times this. */
const MAX_GROWTH_BYTES = 4 * 2 ** 20;

test('a statement of 24,000 movements is streamed with little memory, and is complete', async (t) => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const heapBytes = () => {
		collect();
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const { openReseller, signedIn, store, clock } = await startDashboard(t);
	await openReseller('acme', GIFTS + 10);
	const browser = await signedIn('ann@acme.example', 'acme');
	const base = { reseller: 'acme', requestId: 'test', username: 'alice' };
	const run = async (commands: readonly Command[]) =>
		assert.equal((await store.runCommands(commands, clock.nowMs())).kind, 'committed');
	await run([{ ...base, kind: 'create_sub_user', proxyAuthkey: newProxyAuthkey() }]);
	const gifts = Array.from({ length: IN_A_BATCH }, () => ({ ...base, kind: 'give_balance', amountCents: 1 }) as const);
	for (let given = 0; given < GIFTS; given += IN_A_BATCH) await run(gifts);

	const response = await browser.download('/statement.csv', { zone: 'Europe/Berlin' });
	assert.equal(response.status, 200);
	const decoder = new TextDecoder();
	const before = heapBytes();
	let [lines, chunks, bytes, growth] = [0, 0, 0, 0];
	let last = '';
	for await (const chunk of response.body ?? assert.fail()) {
		const text = decoder.decode(chunk, { stream: true });
		lines += text.split('\n').length - 1;
		bytes += chunk.length;
		last = (last + text).slice(-200);
		if (++chunks % 20 === 0) growth = Math.max(growth, heapBytes() - before);
	}
	t.diagnostic(`${bytes} bytes in ${chunks} chunks; the heap grew by ${growth} bytes at most`);
	assert.equal(lines, 1 + 1 + 1 + GIFTS);
	assert.match(last, /,give,alice,-0\.01,0\.00,API,,,acme,,,,,\r\n$/);
	assert.ok(growth < MAX_GROWTH_BYTES, `the heap grew by ${growth} bytes`);
});
