import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rowsIn, saidIn } from './support/bursarctl.ts';
import { openShop, shopWith } from './support/shop.ts';

describe('events', { concurrency: 2 }, () => {
	test('list shows events oldest first, and tells from where to go on', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		await bursarctl.print('sub-user', 'limits', 'alice', '--day-bytes', '5');
		const [created, limited, ...others] = await bursarctl.json('events', 'list');
		assert.deepEqual(others, []);
		assert.deepEqual([created.number, created.type, created.username], [1, 'sub_user.created', 'alice']);
		assert.equal(limited.type, 'sub_user.limits_set');
		assert.equal(limited.data.limits.day_bytes, 5);
		assert.equal(limited.next, `2-${limited.id}`);
		const first = await bursarctl.run('events', 'list', '--rows', '1', '--json=number,type');
		assert.deepEqual(JSON.parse(first.stdout), [{ number: 1, type: 'sub_user.created' }]);
		assert.deepEqual(saidIn(first.stderr), { next: created.next, left_out: true });
		const rest = await bursarctl.run('events', 'list', '--after', created.next);
		assert.match(rest.stdout, /^WHEN +NUMBER +TYPE +USERNAME +DATA\n\S+ +2 +sub_user\.limits_set +alice +\{"limits":/);
		assert.equal(rest.stderr, `For those to come, go on with --after ${limited.next}\n`);
		const newest = await bursarctl.run('events', 'list', '--after', 'newest', '--json');
		assert.deepEqual([newest.stdout, saidIn(newest.stderr)], ['[]\n', { next: limited.next, left_out: false }]);
		const typed = await bursarctl.json('events', 'list', '--types', 'sub_user.limits_set,sub_user.deleted');
		assert.deepEqual(typed, [limited]);
	});

	test('a wrong place, type or count is refused before anything is sent', async (t) => {
		const { bursarctl } = await openShop(t);
		for (const args of [
			['--after', 'oldest'],
			['--after', '1-'],
			['--types', 'sub_user.gone'],
			['--types', ''],
			['--rows', '0'],
		]) {
			for (const command of ['list', 'follow']) {
				assert.equal((await bursarctl.run('events', command, ...args)).code, 2, args.join(' '));
			}
		}
	});

	test('follow prints a line for each event, and ends with 130 after Ctrl-C', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		const { child, ended } = bursarctl.spawn(['events', 'follow', '--json']);
		let stdout = '';
		const seen = Promise.withResolvers<void>();
		child.stdout.on('data', (text: string) => {
			stdout += text;
			if (stdout.includes('sub_user.key_reset')) seen.resolve();
			else void bursarctl.print('sub-user', 'reset-key', 'alice', '--yes');
		});
		await seen.promise;
		child.kill('SIGINT');
		const { code, stderr } = await ended;
		assert.equal(code, 130);
		assert.equal(saidIn(stderr).error.code, 'interrupted');
		const [created, reset] = rowsIn(stdout);
		assert.equal(created.type, 'sub_user.created');
		assert.equal(reset.next, `2-${reset.id}`);
	});

	test('a place that the log has not any more is refused, with the events that there are', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		for (const command of ['list', 'follow']) {
			const { code, stderr } = await bursarctl.run('events', command, '--after', '7', '--json');
			assert.equal(code, 5);
			const { error } = saidIn(stderr);
			assert.deepEqual([error.code, error.status, error.oldest, error.newest], ['events_rewound', 410, 1, 1]);
		}
	});
});
