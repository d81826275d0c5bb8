import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../server/test/support/service.ts';
import { lockJournal } from '../src/bulk/lock.ts';

/** No process ever has it. */
const DEAD_PID = 2 ** 30;

/** Takes the lock again and again, and leaves it as a killed process would. Ends badly where it was not alone. */
const CONTENDER = `
	import { renameSync, rmSync, writeFileSync } from 'node:fs';
	import { hostname } from 'node:os';
	import { lockJournal } from ${JSON.stringify(join(import.meta.dirname, '../src/bulk/lock.ts'))};
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
		writeFileSync(dead, JSON.stringify({ pid: ${DEAD_PID}, host: hostname(), id }));
		renameSync(dead, journal + '.lock');
	}
	console.log(held);
`;

describe('the lock of a journal', () => {
	test('of many that find one left behind by a dead process, one at a time takes it over', async (t) => {
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

	test('what a takeover that was killed, or a crash of the machine, left behind stops nobody', (t) => {
		const folder = temporaryFolder(t);
		const journal = join(folder, 'journal');
		const dead = (id: string) => JSON.stringify({ pid: DEAD_PID, host: hostname(), id });
		const [first, second] = ['0123456789abcdef', 'fedcba9876543210'];
		writeFileSync(`${journal}.lock`, dead(first));
		writeFileSync(`${journal}.lock.${first}.claim`, dead(second));
		lockJournal(journal)();
		assert.deepEqual(readdirSync(folder), []);
		for (const text of ['', '\0\0', '{"pid":1', JSON.stringify({ pid: DEAD_PID, host: hostname(), id: '../x' })]) {
			writeFileSync(`${journal}.lock`, text);
			lockJournal(journal)();
			assert.deepEqual(readdirSync(folder), []);
		}
	});

	test('only its own holder releases it', (t) => {
		const journal = join(temporaryFolder(t), 'journal');
		const release = lockJournal(journal);
		const another = JSON.stringify({ pid: process.pid, host: hostname(), id: '0123456789abcdef' });
		writeFileSync(`${journal}.lock`, another);
		release();
		assert.equal(readFileSync(`${journal}.lock`, 'utf8'), another);
	});
});
