import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { readConfig } from '../../src/config.ts';

const BURSAR = join(import.meta.dirname, '../../bin/bursar.js');

test('a lost master key is replaced only after the word was typed', async (t) => {
	const dataDir = temporaryFolder(t);
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 0);
	const file = join(dataDir, 'master.key');
	const lost = readFileSync(file, 'utf8');
	rmSync(file);

	async function answering(word: string) {
		const command = `'${process.execPath}' '${BURSAR}' master-key replace --lost`;
		const { child, ended } = startProcess(t, ['script', '-qefc', command, '/dev/null'], {
			environment: { BURSAR_DATA_DIR: dataDir, TERM: 'xterm', NO_COLOR: '1' },
			input: null,
		});
		child.stdout.on('data', (text: string) => {
			if (text.includes('to go on:')) child.stdin.write(`${word}\n`);
		});
		return ended;
	}

	for (const word of ['', 'y', 'no']) {
		const { code, stdout } = await answering(word);
		assert.equal(code, 1, stdout);
		assert.match(stdout, /This cannot be undone[\s\S]*nothing was changed/);
		assert.throws(() => readFileSync(file));
	}
	const { code, stdout } = await answering('replace');
	assert.equal(code, 0, stdout);
	assert.match(stdout, /replaced +1\b/);
	assert.notEqual(readFileSync(file, 'utf8'), lost);
	assert.ok(!stdout.includes(readFileSync(file, 'utf8').trim()));
});
