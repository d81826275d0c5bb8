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

test('after a rotation beside the running server both tokens work, then only the new one', async (t) => {
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
	if (await works(old)) assert.ok(true);
	else assert.ok(Date.now() >= expiresAtMs, 'the old token lives for the overlap');

	const again = await rotate();
	assert.equal(again.code, 1);
	assert.equal(JSON.parse(again.stderr).error.code, 'rotation_pending');

	await eventually(async () => assert.equal(await works(old), false), 15_000);
	assert.ok(Date.now() >= expiresAtMs, 'not before its time');
	assertFailure(await call(url, path, { token: old }), 401, 'unauthorized');
	assert.ok((await works(token)) && (await works(neighbour)));
});

test('a revocation beside the running server ends every token within seconds, also while a rotation is pending', async (t) => {
	const { url, config, openReseller } = await startTestService(t);
	const { token: first } = await openReseller('acme', 1000);
	const { token: neighbour } = await openReseller('bolt', 1000);
	const works = async (token: string) => (await call(url, path, { token })).status === 200;
	const run = async (...args: string[]) =>
		JSON.parse((await runBursar(t, config.dataDir, ['reseller', ...args, '--json'])).stdout).token as string;
	const second = await run('rotate-token', 'acme', '--overlap-seconds', '240');
	assert.ok((await works(first)) && (await works(second)) && (await works(neighbour)));
	const third = await run('revoke-token', 'acme');
	assert.ok(await works(third), 'the new token works at once');
	for (const token of [first, second]) await eventually(async () => assert.equal(await works(token), false));
	assert.ok((await works(third)) && (await works(neighbour)));
});

test('a clock that is set back an hour brings back no token that was revoked, and none that was rotated away', async (t) => {
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
