import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { durableAppender } from '../src/index.ts';

describe('appending durably', () => {
	test('waiting texts share one flush; each is in the file when it resolves, in order', async (t) => {
		const folder = await mkdtemp(join(tmpdir(), 'bursar-'));
		t.after(() => rm(folder, { recursive: true }));
		const path = join(folder, 'journal');
		const file = await open(path, 'a');
		t.after(() => file.close());
		let flushes = 0;
		const append = durableAppender({
			appendFile: (text) => file.appendFile(text),
			async flush() {
				flushes++;
				await file.datasync();
			},
		});
		const texts = Array.from({ length: 100 }, (_, index) => `${index}\n`);
		await Promise.all(
			texts.map(async (text) => {
				await append(text);
				assert.ok((await readFile(path, 'utf8')).includes(text));
			}),
		);
		assert.equal(await readFile(path, 'utf8'), texts.join(''));
		assert.equal(flushes, 2, 'the first alone, then all that came meanwhile');
		await append('last\n');
		assert.equal(flushes, 3);
	});

	test('after a failure, nothing more is written', async () => {
		const written: string[] = [];
		let isFull = true;
		const append = durableAppender({
			async appendFile(text) {
				if (isFull) throw new Error('the disk is full');
				written.push(String(text));
			},
			async flush() {},
		});
		const failed = await Promise.allSettled([append('one\n'), append('two\n')]);
		isFull = false;
		assert.deepEqual(
			[...failed, ...(await Promise.allSettled([append('three\n')]))].map(({ status }) => status),
			['rejected', 'rejected', 'rejected'],
		);
		assert.deepEqual(written, []);
	});
});
