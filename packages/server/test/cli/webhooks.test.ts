import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { openReseller, withBank } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { inDatabase } from '../store/sqlite-engine.ts';
import { createWebhook, updateWebhook } from '../support/commands.ts';

test('webhooks pause switches off what is on, resume switches that on again, and both are recorded', async (t) => {
	const dataDir = temporaryFolder(t);
	const config = readConfig({ BURSAR_DATA_DIR: dataDir });
	const run = async (...args: string[]) => {
		const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json']);
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout);
	};
	await openReseller(config, 'acme', 0);
	await withBank(config, async (bank) => {
		for (const id of ['whe_1', 'whe_2', 'whe_3']) assert.ok((await bank.submit(createWebhook('acme', id))).ok);
		assert.ok((await bank.submit(updateWebhook('acme', 'whe_3', { isEnabled: false }))).ok);
	});
	assert.deepEqual(await run('webhooks', 'pause'), { paused_webhooks: 2 });
	assert.deepEqual(await run('webhooks', 'pause'), { paused_webhooks: 0 });
	const doctor = await callBursar(dataDir, ['doctor']);
	assert.match(doctor.stdout, /^warning +webhooks +Webhooks that are off because this store is a copy: 2\./m);
	assert.deepEqual(await run('webhooks', 'resume'), { resumed_webhooks: 2 });
	assert.deepEqual(await run('webhooks', 'resume'), { resumed_webhooks: 0 });
	const acts = inDatabase(dataDir, (database) =>
		database.prepare('SELECT kind FROM acts ORDER BY number').pluck().all(),
	);
	assert.deepEqual(acts, ['pause_webhooks', 'resume_webhooks']);
	const { stdout } = await callBursar(dataDir, ['webhooks', 'resume']);
	assert.match(stdout, /^resumed_webhooks +0$/m);
});
