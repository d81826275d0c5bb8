import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { readConfig } from '../../src/config.ts';
import { usageReports, usageTotals } from '../support/usage-reports.ts';

const REPORTS = usageReports(['acme'], 20);

async function storeWithAcme(t: TestContext): Promise<string> {
	const dataDir = temporaryFolder(t);
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 0);
	return dataDir;
}

/** How many reports arrived, by what became of them. */
function verdicts(dataDir: string): object {
	const database = new Database(join(dataDir, 'bursar.db'), { readonly: true });
	const rows = database.prepare('SELECT verdict, SUM(reports) FROM usage_verdicts GROUP BY verdict').raw().all();
	database.close();
	return Object.fromEntries(rows as [string, number][]);
}

function line(id: string, change: Readonly<Record<string, unknown>> = {}): string {
	const timestamp = new Date().toISOString();
	return JSON.stringify({ source: 'host-1', id, username: 'acme', timestamp, up: 1, down: 2, ...change });
}

describe('bursar usage import', { concurrency: 2 }, () => {
	test('invalid lines are listed with number and reason, and the others are counted once', async (t) => {
		const dataDir = await storeWithAcme(t);
		const now = new Date().toISOString();
		const good = ['a', 'b', 'c'].map((id) => line(id, { timestamp: now }));
		const input = Buffer.concat([
			Buffer.from(`${good[0]}\r\n\n   \r\nnonsense\n`),
			Buffer.from(
				`${line('x', { username: 'nobody' })}\n${line('x', { up: -1 })}\n${line('x', { timestamp: now.slice(0, 10) })}\n`,
			),
			Buffer.from([0xff, 0x00, 0x80, 0x0a]),
			Buffer.from(line('?').replace('?', 'no\u0001')),
			Buffer.from(`\n${line('A').replace('A', '*')}`.replace('*', '\xff'), 'latin1'),
			Buffer.from(
				`\n${'y'.repeat(300_000)}\n${good[1]}\n${line('a', { up: 9, timestamp: now })}\n[]\n${good[0]}\n${good[2]}`,
			),
		]);
		const file = join(temporaryFolder(t), 'reports.ndjson');
		writeFileSync(file, input);

		const plain = await callBursar(dataDir, ['usage', 'import', file]);
		assert.equal(plain.code, 1);
		assert.deepEqual(plain.stderr.split('\n').slice(0, -2), [
			'line 4: not_json',
			'line 5: unknown_username',
			'line 6: invalid_counter',
			'line 7: invalid_timestamp',
			'line 8: not_json',
			'line 9: not_json',
			'line 10: not_json',
			'line 11: invalid_report',
			'line 13: conflict',
			'line 14: invalid_report',
		]);
		assert.match(plain.stdout, /^counted +3\nrepeated +1\nrefused +10\n$/);
		const json = await callBursar(dataDir, ['usage', 'import', '--json', file]);
		assert.deepEqual(JSON.parse(json.stdout), { counted: 0, repeated: 4, refused: 10 });
		const errors = json.stderr
			.trimEnd()
			.split('\n')
			.map((text) => JSON.parse(text));
		assert.deepEqual(errors[0], { line: 4, refused: 'not_json' });
		assert.equal(errors.at(-1).error.code, 'reports_refused');
		assert.deepEqual(usageTotals(dataDir), { reports: 3, bytesUp: 3, bytesDown: 6 });
		assert.deepEqual(verdicts(dataDir), {
			conflict: 2,
			counted: 3,
			invalid_counter: 2,
			invalid_report: 4,
			invalid_timestamp: 2,
			not_json: 8,
			repeated: 5,
			unknown_username: 2,
		});
	});

	test('- reads standard input; empty input is valid', async (t) => {
		const dataDir = await storeWithAcme(t);
		const piped = await callBursar(dataDir, ['usage', 'import', '-', '--json'], { input: usageReports(['acme'], 5) });
		assert.deepEqual(JSON.parse(piped.stdout), { counted: 5, repeated: 0, refused: 0 });
		assert.equal(piped.code, 0);
		assert.equal(piped.stderr, '', 'progress was printed without a terminal');
		const empty = await callBursar(dataDir, ['usage', 'import', '-', '--json'], { input: '' });
		assert.deepEqual(JSON.parse(empty.stdout), { counted: 0, repeated: 0, refused: 0 });
		assert.equal(empty.code, 0);
	});

	for (const [what, program, bytes] of [
		['compressed with gzip', 'gunzip -c', gzipSync(REPORTS)],
		['compressed with zstd', 'zstd -dc', zstdCompressSync(REPORTS)],
		['compressed with bzip2', 'bunzip2 -c', Buffer.from('BZh91AY&SY\x9a')],
		['compressed with xz', 'xz -dc', Buffer.from('\xfd7zXZ\0\0\0', 'latin1')],
		['a zip archive', 'funzip', Buffer.from('PK\x03\x04\x14\0')],
		['encoded in UTF-16', 'iconv -f UTF-16 -t UTF-8', Buffer.from(`\ufeff${REPORTS}`, 'utf16le')],
	] as const) {
		test(`input that is ${what} is refused with a command that decodes it, from a file and from standard input`, async (t) => {
			const dataDir = await storeWithAcme(t);
			const file = join(temporaryFolder(t), 'new reports');
			writeFileSync(file, bytes);
			for (const [name, path, under] of [
				[file, `'${file}'`, undefined],
				// Byte by byte, then endless input.
				['standard input', 'FILE', ['sh', '-c', `{ dd bs=1 2> /dev/null < '${file}'; yes; } | "$@"`, 'sh']],
			] as const) {
				const args = ['usage', 'import', under === undefined ? file : '-', '--json'];
				const { code, stdout, stderr } = await (under
					? runBursar(t, dataDir, args, { under })
					: callBursar(dataDir, args));
				assert.equal(code, 1);
				assert.equal(stdout, '');
				const message = `${name} is ${what}, and nothing was counted. To import it: ${program} < ${path} | bursar usage import -`;
				assert.deepEqual(JSON.parse(stderr), { error: { code: 'not_plain_text', message } });
			}
			assert.equal(usageTotals(dataDir).reports, 0);
		});
	}

	test('text with a byte order mark is read', async (t) => {
		const dataDir = await storeWithAcme(t);
		const file = join(temporaryFolder(t), 'reports.ndjson');
		writeFileSync(file, `\ufeff${line('a')}\n`);
		const { stdout } = await callBursar(dataDir, ['usage', 'import', file, '--json']);
		assert.deepEqual(JSON.parse(stdout), { counted: 1, repeated: 0, refused: 0 });
	});

	test('an unreadable file is an error of one line, and no store is made', async (t) => {
		const folder = temporaryFolder(t);
		const none = await callBursar('/nowhere', ['usage', 'import', join(folder, 'none')]);
		assert.equal(none.code, 1);
		assert.match(none.stderr, /^bursar: .*none cannot be read: there is no such file\n$/);
		mkdirSync(join(folder, 'folder'));
		const directory = await callBursar('/nowhere', ['usage', 'import', join(folder, 'folder'), '--json']);
		assert.equal(directory.code, 1);
		assert.equal(JSON.parse(directory.stderr).error.code, 'unreadable_file');
	});

	test('reports count in the order of the file, whatever their order is in the store', async (t) => {
		const dataDir = await storeWithAcme(t);
		await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'abel', 0);
		const file = join(temporaryFolder(t), 'reports.ndjson');
		writeFileSync(file, `${line('same', { username: 'acme', up: 5 })}\n${line('same', { username: 'abel', up: 7 })}\n`);
		const { stdout, stderr } = await callBursar(dataDir, ['usage', 'import', file, '--json']);
		assert.deepEqual(JSON.parse(stdout), { counted: 1, repeated: 0, refused: 1 });
		assert.match(stderr, /{"line":2,"refused":"conflict"}/);
		assert.equal(usageTotals(dataDir).bytesUp, 5);
	});
});
