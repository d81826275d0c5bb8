import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { usageReports } from '../support/usage-reports.ts';

const BURSAR = join(import.meta.dirname, '../../bin/bursar.js');

test('the progress of a usage import shows on a terminal, without colours', async (t) => {
	const dataDir = temporaryFolder(t);
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 0);
	const file = join(temporaryFolder(t), 'reports.ndjson');
	writeFileSync(file, `${usageReports(['acme'], 60_000)}nonsense\n`);
	const command = `"${process.execPath}" "${BURSAR}" usage import "${file}"`;
	const env = { PATH: process.env.PATH, BURSAR_DATA_DIR: dataDir, TERM: 'xterm', NO_COLOR: '1' };
	const { stdout, status } = spawnSync('script', ['-qefc', command, '/dev/null'], {
		env,
		encoding: 'utf8',
		input: '',
	});
	assert.equal(status, 1);
	assert.match(stdout, /importing usage: [\d,]+ reports/);
	assert.ok(stdout.includes('\u001b[Kline 60001: not_json\r\n'));
	assert.match(stdout, /counted +60000/);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with a control character
	assert.doesNotMatch(stdout, /\u001b\[[\d;]*m/);
});
