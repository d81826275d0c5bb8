import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { type ResellerEvent, verifyWebhook } from '@bursar/client';
import { listen } from '@bursar/testing/listen';
import { startTestService } from '@bursar/testing/service';
import { bursarctlFor, rowsIn, saidIn } from './support/bursarctl.ts';
import { fileOf } from './support/input.ts';
import { startMiddle } from './support/middle.ts';
import { openShop, shopWith } from './support/shop.ts';

const SHOP = 'https://shop.example.com/events';
const NO_SUCH_ID = `whe_${'x'.repeat(22)}`;
const SECRET = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;

/** A program of a developer, which answers with the next of these statuses, or 200. */
async function receive(t: TestContext, ...statuses: number[]) {
	const received: { body: string; headers: Record<string, string | string[] | undefined> }[] = [];
	const server = createServer(async (request, response) => {
		const body = Buffer.concat(await Array.fromAsync(request)).toString();
		received.push({ body, headers: request.headers });
		response.writeHead(statuses.shift() ?? 200).end('thanks\u001b[2J');
	});
	const { port } = await listen(t, server);
	return { url: `http://127.0.0.1:${port}/events`, received };
}

describe('webhooks', { concurrency: 2 }, () => {
	test('a webhook is made, listed, changed, switched and deleted', async (t) => {
		const { bursarctl } = await openShop(t);
		const made = await bursarctl.json('webhooks', 'create', SHOP, '--types', 'sub_user.suspended,sub_user.resumed');
		const { id, secret, ...webhook } = made;
		assert.match(secret, /^whsec_/);
		assert.deepEqual(webhook, {
			...{ url: SHOP, types: ['sub_user.suspended', 'sub_user.resumed'], state: 'on', reason: null, position: '0' },
			...{ failing_since: null, next_try: null, date_created: webhook.date_created, confirmed_by: 'answer' },
		});
		assert.match(
			await bursarctl.print('webhooks', 'list'),
			/^ID +STATE +BEHIND +TYPES +URL\nwhe_\S+ +on +0 +sub_user\.suspended,sub_user\.resumed +https:\S+\n$/,
		);
		assert.match(await bursarctl.print('webhooks', 'disable', id), /^State +off: switched_off$/m);
		assert.match(await bursarctl.print('webhooks', 'enable', id, '--position', '0'), /^State +on$/m);
		const updated = await bursarctl.json('webhooks', 'update', id, '--types', 'all', '--to', `${SHOP}/2`);
		assert.deepEqual([updated.types, updated.url], [null, `${SHOP}/2`]);
		const rotated = await bursarctl.json('webhooks', 'rotate-secret', id);
		assert.match(rotated.secret, /^whsec_/);
		assert.notEqual(rotated.secret, secret);
		assert.ok(!(await bursarctl.print('webhooks', 'list', '--json')).includes('whsec_'));
		assert.deepEqual(await bursarctl.json('webhooks', 'tries', id), []);
		assert.deepEqual(await bursarctl.json('webhooks', 'delete', id), { id, confirmed_by: 'answer' });
		assert.deepEqual(await bursarctl.json('webhooks', 'list'), []);
	});

	test('a refusal has its exit code', async (t) => {
		const { bursarctl } = await openShop(t);
		const refused = await bursarctl.run('webhooks', 'create', 'http://10.0.0.1/', '--json');
		assert.deepEqual([refused.code, saidIn(refused.stderr).error.code], [5, 'invalid_webhook_url']);
		const unknown = await bursarctl.run('webhooks', 'tries', NO_SUCH_ID, '--json');
		assert.deepEqual([unknown.code, saidIn(unknown.stderr).error.code], [4, 'unknown_webhook']);
		const { id } = await bursarctl.json('webhooks', 'create', SHOP);
		assert.equal((await bursarctl.run('webhooks', 'update', id, '--position', '7')).code, 5);
		for (let count = 2; count <= 5; count++) await bursarctl.print('webhooks', 'create', SHOP);
		const sixth = await bursarctl.run('webhooks', 'create', SHOP, '--json');
		assert.deepEqual([sixth.code, saidIn(sixth.stderr).error.code], [5, 'too_many_webhooks']);
		for (const args of [
			['update', id],
			['update', id, '--position', 'newest'],
			['update', id, '--types', 'sub_user.gone'],
			['create', SHOP, '--types', ''],
			['listen'],
			['listen', '--forward-to', 'localhost:3000'],
			['listen', '--forward-to', 'http://user:opensesame@localhost:3000'],
			['listen', '--forward-to', SHOP, '--secret', 'opensesame'],
			['listen', '--forward-to', SHOP, '--secret=opensesame'],
			['listen', '--forward-to', SHOP, '--secret-file', fileOf(t, 'opensesame\n')],
			['listen', '--forward-to', SHOP, '--secret-file', '/nonexistent/opensesame'],
		]) {
			const { code, stdout, stderr } = await bursarctl.run('webhooks', ...args);
			assert.deepEqual([code, stdout], [2, ''], args.join(' '));
			assert.ok(!stderr.includes('opensesame'), args.join(' '));
		}
	});

	test('a create whose answer was lost says that its secret is not known', async (t) => {
		const { service, token } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path === '/reseller/webhooks/create' ? 'lose_answer' : 'pass');
		const { code, stdout, stderr } = await bursarctlFor(t, middle.url, token).run('webhooks', 'create', SHOP, '--json');
		assert.equal(code, 0, stderr);
		const { id, secret, confirmed_by } = JSON.parse(stdout);
		assert.deepEqual([secret, confirmed_by], [null, 'look']);
		const { warning } = rowsIn(stderr).at(-1);
		assert.equal(warning.code, 'secret_lost');
		assert.match(warning.message, new RegExp(`rotate-secret ${id}$`));
	});

	test('test shows how the test event ended', async (t) => {
		const { url, received } = await receive(t, 500);
		const service = await startTestService(t, { BURSAR_WEBHOOKS_LOOPBACK: '1' }, { webhookLookMs: 10 });
		const { token } = await service.openReseller('acme', 1000);
		const bursarctl = bursarctlFor(t, service.url, token);
		const { id } = await bursarctl.json('webhooks', 'create', url);
		const failed = await bursarctl.run('webhooks', 'test', id, '--json');
		assert.deepEqual([failed.code, saidIn(failed.stderr).error.code], [1, 'test_failed']);
		assert.equal(JSON.parse(failed.stdout).status, 500);
		assert.match(await bursarctl.print('webhooks', 'test', id), /^Result +200\nTook +\d+ ms\nAnswer +thanks \[2J\n$/);
		assert.equal(received.length, 2);
		assert.match(
			await bursarctl.print('webhooks', 'tries', id),
			/^WHEN +NUMBER +TYPE +STATUS +MS +ANSWER\n\S+ +0 +webhook\.test +200 .*\n\S+ +0 +webhook\.test +500 /,
		);
	});
});

describe('webhooks listen', { concurrency: 2 }, () => {
	test('each event arrives in order, signed with the secret that was printed, as the log has it', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		const { url, received } = await receive(t, 503);
		const { child, ended } = bursarctl.spawn(['webhooks', 'listen', '--forward-to', url, '--after', '0', '--json']);
		let stdout = '';
		child.stdout.on('data', (text: string) => {
			stdout += text;
		});
		await once(child.stdout, 'data');
		await bursarctl.print('sub-user', 'limits', 'alice', '--day-bytes', '5');
		while (!stdout.includes('sub_user.limits_set')) await once(child.stdout, 'data');
		child.kill('SIGINT');
		const { code, stderr } = await ended;
		assert.equal(code, 130);
		const { secret } = saidIn(stderr);
		const events: ResellerEvent[] = [];
		for (const { body, headers } of received) events.push(await verifyWebhook(body, headers, secret));
		assert.deepEqual(
			events.map(({ number, type }) => [number, type]),
			[
				[1, 'sub_user.created'],
				[1, 'sub_user.created'],
				[2, 'sub_user.limits_set'],
			],
		);
		const rows = rowsIn(stdout);
		assert.deepEqual(
			rows.map(({ number, status, failure }) => [number, status, failure]),
			[
				[1, 503, null],
				[1, 200, null],
				[2, 200, null],
			],
		);
		const log = JSON.parse((await bursarctl.print('api', 'POST', '/reseller/events/view_page', '--body', '{}')).trim())
			.data.events;
		assert.deepEqual(
			received.slice(1).map(({ body }) => JSON.parse(body)),
			log,
		);
		assert.equal(rows.at(-1).next, `2-${log[1].id}`);
	});

	test('it takes a secret from a file or the environment, and prints it never', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		const file = fileOf(t, `${SECRET}\n`);
		for (const [args, environment] of [
			[['--secret-file', file], {}],
			[[], { BURSAR_WEBHOOK_SECRET: SECRET }],
		] as const) {
			const { url, received } = await receive(t);
			const command = ['webhooks', 'listen', '--forward-to', url, '--after', '0', ...args];
			const { child, ended } = bursarctl.spawn(command, environment);
			await once(child.stdout, 'data');
			child.kill('SIGTERM');
			const { code, stdout, stderr } = await ended;
			assert.equal(code, 143);
			assert.match(stdout, /^1 {2}sub_user\.created {2}200 {2}\d+ ms\n$/);
			assert.ok(!`${stdout}${stderr}`.includes('whsec_'));
			const [{ body, headers }] = received as [(typeof received)[number]];
			assert.equal((await verifyWebhook(body, headers, SECRET)).type, 'sub_user.created');
		}
	});

	test('an event that fails four times is left, and the next one is sent', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		await bursarctl.print('sub-user', 'limits', 'alice', '--day-bytes', '5');
		const { url } = await receive(t, 500, 404, 302, 500);
		const { child, ended } = bursarctl.spawn(['webhooks', 'listen', '--forward-to', url, '--after', '0']);
		let stdout = '';
		child.stdout.on('data', (text: string) => {
			stdout += text;
		});
		while (!stdout.includes('limits_set')) await once(child.stdout, 'data');
		child.kill('SIGINT');
		assert.equal((await ended).code, 130);
		const lines = stdout.split('\n').map((line) => line.replace(/ {2}\d+ ms$/, ''));
		const failed = (status: number) => `1  sub_user.created  ${status}`;
		assert.deepEqual(lines, [...[500, 404, 302, 500].map(failed), '2  sub_user.limits_set  200', '']);
	});
});
