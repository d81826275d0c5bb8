import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../src/in-process.ts';

test('a program in this process gets its own environment, input and streams, and leaves nothing behind', async () => {
	const before = { ...process.env };
	const listeners = process.listenerCount('SIGTERM');
	const program = async ([, , word]: readonly string[]) => {
		process.on('SIGTERM', () => {});
		process.stderr.write(Object.keys(process.env).join());
		process.exitCode = 3;
		process.env.MORE = 'more';
		for await (const chunk of process.stdin) process.stdout.write(`${word} ${chunk} `);
	};
	const runs = await Promise.all(
		['one', 'two'].map((word) => runInProcess(program, [word], { input: 'ä', environment: { WORD: word } })),
	);
	const [one, two] = ['one ä ', 'two ä '].map((stdout) => ({ code: 3, signal: null, stdout, stderr: 'PATH,WORD' }));
	assert.deepEqual(runs, [one, two]);
	assert.deepEqual({ ...process.env }, before);
	assert.equal(process.exitCode, undefined);
	assert.equal(process.listenerCount('SIGTERM'), listeners);
	const failing = runInProcess(async () => {
		throw new Error('a fault');
	}, []);
	await assert.rejects(failing, /a fault/);
	assert.equal((await runInProcess(async () => {}, [])).code, 0);
});
