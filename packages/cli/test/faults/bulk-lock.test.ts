import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { currentPidScope, type Holder, mayBeAlive, type PidScope } from '../../src/bulk/journal/lock-holder.ts';
import { lockJournal } from '../../src/bulk/journal/lock-journal.ts';
import { saidIn } from '../support/bursarctl.ts';
import { startMiddle } from '../support/middle.ts';
import { openShop } from '../support/shop.ts';

/** No process ever has this number. */
const DEAD_PID = 2 ** 30;

/** Takes the lock again and again, and leaves it as a killed process would. Fails if it was not alone. */
const CONTENDER = `
	import { renameSync, rmSync, writeFileSync } from 'node:fs';
	import { currentPidScope } from ${JSON.stringify(join(import.meta.dirname, '../../src/bulk/journal/lock-holder.ts'))};
	import { lockJournal } from ${JSON.stringify(join(import.meta.dirname, '../../src/bulk/journal/lock-journal.ts'))};
	const journal = process.argv[1];
	let held = 0;
	for (let round = 0; round < 400; round++) {
		try {
			lockJournal(journal);
		} catch (error) {
			if (error.code !== 'journal_in_use') throw error;
			continue;
		}
		writeFileSync(journal + '.inside', '', { flag: 'wx' });
		held++;
		const until = performance.now() + 0.5;
		while (performance.now() < until);
		rmSync(journal + '.inside');
		const id = process.pid.toString(16).padStart(8, '0') + held.toString(16).padStart(8, '0');
		const dead = journal + '.dead.' + process.pid;
		writeFileSync(dead, JSON.stringify({ ...currentPidScope(), pid: ${DEAD_PID}, id }));
		renameSync(dead, journal + '.lock');
	}
	console.log(held);
`;

describe('the lock of a journal', () => {
	test('if many processes find the lock of a dead process, one at a time takes it over', async (t) => {
		const folder = temporaryFolder(t);
		const journal = join(folder, 'journal');
		const contenders = Array.from({ length: 4 }, async () => {
			const args = ['--input-type=module', '-e', CONTENDER, journal];
			const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
			const said = { stdout: '', stderr: '' };
			child.stdout.on('data', (text) => {
				said.stdout += text;
			});
			child.stderr.on('data', (text) => {
				said.stderr += text;
			});
			const [code] = await once(child, 'close');
			assert.equal(code, 0, said.stderr);
			return Number(said.stdout);
		});
		const held = await Promise.all(contenders);
		t.diagnostic(`held ${held.join(', ')} times`);
		assert.ok(held.filter((count) => count > 0).length > 1);
		assert.deepEqual(readdirSync(folder), ['journal.lock']);
	});

	test('leftovers of a killed takeover or of a crash of the machine stop no run', (t) => {
		const folder = temporaryFolder(t);
		const journal = join(folder, 'journal');
		const dead = (id: string) => JSON.stringify({ ...currentPidScope(), pid: DEAD_PID, id });
		const [first, second] = ['0123456789abcdef', 'fedcba9876543210'];
		writeFileSync(`${journal}.lock`, dead(first));
		writeFileSync(`${journal}.lock.${first}.claim`, dead(second));
		lockJournal(journal)();
		assert.deepEqual(readdirSync(folder), []);
		for (const text of ['', '\0\0', '{"pid":1', dead('../x')]) {
			writeFileSync(`${journal}.lock`, text);
			lockJournal(journal)();
			assert.deepEqual(readdirSync(folder), []);
		}
	});

	test('a zombie holds no lock, and neither does a process that got the number of an ended one', {
		skip: process.platform !== 'linux' && 'there is no /proc here',
	}, async (t) => {
		const journal = join(temporaryFolder(t), 'journal');
		const scope = currentPidScope();
		const lookAt = (pid: number, started?: string) =>
			mayBeAlive({ ...scope, pid, started, id: '0123456789abcdef' }, scope);
		// The shell becomes a program that never asks how its child has ended.
		const { child, ended } = startProcess(t, ['sh', '-c', 'sleep 60 & echo $!; exec cat'], { input: null });
		const [text] = await once(child.stdout, 'data');
		const pid = Number(text);
		const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
		const [started] = stat().slice(21);
		assert.equal(lookAt(pid), true);
		assert.equal(lookAt(pid, started), true);
		assert.equal(lookAt(pid, '1'), false, 'another process had this number');
		process.kill(pid, 'SIGKILL');
		await eventually(async () => assert.equal(stat()[2], 'Z'));
		assert.equal(lookAt(pid), false);
		writeFileSync(`${journal}.lock`, JSON.stringify({ ...scope, pid, started, id: '0123456789abcdef' }));
		const release = lockJournal(journal);
		assert.equal(JSON.parse(readFileSync(`${journal}.lock`, 'utf8')).pid, process.pid);
		release();
		child.stdin.end();
		await ended;
	});

	test('a lock that is a pipe or far too large is refused at once', (t) => {
		const journal = join(temporaryFolder(t), 'journal');
		symlinkSync('/dev/zero', `${journal}.lock`);
		assert.throws(() => lockJournal(journal), /not a regular file/);
		rmSync(`${journal}.lock`);
		writeFileSync(`${journal}.lock`, ' '.repeat(1_000_000));
		assert.throws(() => lockJournal(journal), /is no lock of bursarctl/);
	});

	test('only its own holder releases it', (t) => {
		const journal = join(temporaryFolder(t), 'journal');
		const release = lockJournal(journal);
		const another = JSON.stringify({ ...currentPidScope(), pid: process.pid, id: '0123456789abcdef' });
		writeFileSync(`${journal}.lock`, another);
		release();
		assert.equal(readFileSync(`${journal}.lock`, 'utf8'), another);
	});

	test('a holder that cannot be seen counts as alive, also if this machine may have restarted', {
		skip: process.platform !== 'linux' && 'there are no PID namespaces here',
	}, (t) => {
		const journal = join(temporaryFolder(t), 'journal');
		// The name of the PID namespace of the machine itself.
		const outside = { ...currentPidScope(), pid_namespace: 'pid:[4026531836]' };
		const inside = { ...currentPidScope(), pid_namespace: 'pid:[4026531999]' };
		const lookFrom = (scope: PidScope, there: Partial<Holder>) =>
			mayBeAlive({ ...scope, pid: DEAD_PID, id: '0123456789abcdef', ...there }, scope);
		for (const scope of [outside, inside]) {
			assert.equal(lookFrom(scope, {}), false, 'seen to be dead');
			assert.equal(lookFrom(scope, { pid: process.ppid }), true, 'seen to be alive');
			assert.equal(lookFrom(scope, { pid: process.pid }), false, 'our own number');
			assert.equal(lookFrom(scope, { pid: process.pid, pid_namespace: 'pid:[4026532000]' }), true);
			assert.equal(lookFrom(scope, { pid_namespace: undefined }), true, 'its scope is not known');
			assert.equal(lookFrom(scope, { host: 'elsewhere.example' }), true);
			assert.equal(lookFrom(scope, { boot_id: 'another' }), true, 'this may be another machine of the same image');
		}
		assert.equal(lookFrom({ host: 'here' }, {}), true, 'our own scope is not known');

		const unseen = { ...currentPidScope(), pid_namespace: 'pid:[1]', pid: 7, id: '0123456789abcdef' };
		writeFileSync(`${journal}.lock`, JSON.stringify(unseen));
		assert.throws(() => lockJournal(journal), {
			code: 'journal_in_use',
			message:
				/process 7 on .*cannot be seen from here.*Only if you are sure that it has ended, remove .*journal\.lock/,
		});
		assert.deepEqual(JSON.parse(readFileSync(`${journal}.lock`, 'utf8')), unseen);
	});
});

const withoutLinks = process.platform === 'win32' && 'links need special rights here';

describe('a bulk form that is reached through links', { concurrency: 2, skip: withoutLinks }, () => {
	test('two runs never use one journal at the same time, whatever names they know it by', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('create') ? { lateMs: 3_600_000 } : 'pass');
		const folder = temporaryFolder(t);
		const [real, link] = [join(folder, 'real'), join(folder, 'link')];
		mkdirSync(real);
		symlinkSync(real, link);
		writeFileSync(join(real, 'names'), 'alice\n');
		symlinkSync(join(link, 'names'), join(folder, 'names'));
		// A link whose target does not exist yet.
		symlinkSync('link/names.journal', join(folder, 'journal'));
		const create = (...args: string[]) => [...['sub-user', 'create', '--yes', '--json', '--url', middle.url], ...args];
		const { child, ended } = bursarctl.spawn(
			create('--all', join(folder, 'names'), '--journal', join(folder, 'journal')),
		);
		await eventually(async () => assert.ok(middle.paths.some((path) => path.endsWith('create'))), 60_000);
		// Otherwise it gives up after a minute, which on a slow machine is too early.
		child.kill('SIGSTOP');
		for (const args of [
			['--all', join(real, 'names')],
			['--all', join(link, 'names')],
			['--all', join(folder, 'names')],
			['--all', join(link, 'names'), '--journal', join(folder, 'journal')],
		]) {
			const second = await bursarctl.run(...create(...args));
			assert.deepEqual([second.code, saidIn(second.stderr).error?.code], [2, 'journal_in_use'], args.join(' '));
		}
		child.kill('SIGKILL');
		await ended;
		assert.ok(lstatSync(join(folder, 'journal')).isSymbolicLink());
		assert.equal(realpathSync(join(folder, 'journal')), realpathSync(join(real, 'names.journal')));
		middle.fateOf = () => 'pass';
		const last = await bursarctl.run(...create('--all', join(real, 'names')));
		assert.equal(last.code, 0, last.stderr);
		assert.ok(!existsSync(join(real, 'names.journal.lock')));
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 10);
	});
});
