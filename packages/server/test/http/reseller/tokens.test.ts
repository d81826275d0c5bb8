import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endpoints } from '@bursar/contract';
import { assertFailure, call } from '@bursar/testing/api';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { rawCall, requestText } from '../../support/raw-socket.ts';

const { path } = endpoints.myInfo;

test('after a rotation beside the running server, both tokens work, then only the new one', async (t) => {
	const { url, config, openReseller } = await startTestService(t);
	const { token: old } = await openReseller('acme', 1000);
	const { token: neighbour } = await openReseller('bolt', 1000);
	const works = async (token: string) => (await call(url, path, { token })).status === 200;
	assert.ok((await works(old)) && (await works(neighbour)));
	const rotate = (...options: string[]) =>
		runBursar(t, config.dataDir, ['reseller', 'rotate-token', 'acme', '--json', ...options]);

	const rotated = await rotate('--overlap-seconds', '4');
	assert.equal(rotated.code, 0, rotated.stderr);
	const { token, previous_token_expires } = JSON.parse(rotated.stdout);
	const expiresAtMs = Date.parse(previous_token_expires);
	assert.ok(await works(token), 'the new token works at once');
	assert.ok((await works(old)) || Date.now() >= expiresAtMs, 'the old token works during the overlap');

	const again = await rotate();
	assert.equal(again.code, 1);
	assert.equal(JSON.parse(again.stderr).error.code, 'rotation_pending');

	await eventually(async () => assert.equal(await works(old), false), 15_000);
	assert.ok(Date.now() >= expiresAtMs, 'the old token ended early');
	assertFailure(await call(url, path, { token: old }), 401, 'unauthorized');
	assert.ok((await works(token)) && (await works(neighbour)));
});

test('a clock that is set back an hour does not revive revoked or rotated tokens', async (t) => {
	const dataDir = temporaryFolder(t);
	const run = async (...args: string[]) =>
		JSON.parse((await runBursar(t, dataDir, ['reseller', ...args, '--json'])).stdout).token as string;
	const revoked = [await run('create', 'acme')];
	revoked.push(await run('rotate-token', 'acme'), await run('revoke-token', 'acme'));
	const current = await run('revoke-token', 'acme');
	const rotated = await run('create', 'bolt');
	await run('rotate-token', 'bolt', '--overlap-seconds', '0');
	const anHourBehind = pathToFileURL(join(import.meta.dirname, '../../support/clock-behind.mjs'));
	const { url } = await startServer(t, dataDir, { environment: { NODE_OPTIONS: `--import=${anHourBehind}` } });
	const statusOf = async (token: string) =>
		(await rawCall(t, url, requestText('GET', path, [`Authorization: Bearer ${token}`]))).status;
	assert.equal(await statusOf(current), 200);
	for (const token of [...revoked, rotated]) assert.equal(await statusOf(token), 401);
});
