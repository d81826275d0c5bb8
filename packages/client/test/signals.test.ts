import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { serveReseller } from './support/client.ts';

test('calls that share a signal share one listener, and the signal ends them all', async (t) => {
	const { unreliable } = await serveReseller(t);
	const warnings: Error[] = [];
	const warned = (warning: Error) => void warnings.push(warning);
	process.on('warning', warned);
	t.after(() => process.off('warning', warned));
	const silent: typeof fetch = () => new Promise(() => {});
	const { client } = unreliable({}, { fetch: silent });
	const controller = new AbortController();
	const calls = Array.from({ length: 50 }, () => client.account.retrieve({ signal: controller.signal }));
	assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
	const reason = new Error('enough');
	controller.abort(reason);
	for (const call of calls) await assert.rejects(call, (error) => error === reason);
	await new Promise((resolve) => setImmediate(resolve));
	assert.deepEqual(warnings, []);
});
