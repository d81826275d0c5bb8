import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const MAX_BYTES = 160_000;
/** What somebody loads who is not signed in: the page with its frame, and the sign-in page. */
const LOADED_FIRST = ['index.html', 'src/pages/sign-in.tsx'];

interface Chunk {
	readonly file: string;
	readonly css?: readonly string[];
	/** Chunks that are loaded with it, by their keys. */
	readonly imports?: readonly string[];
}

test('the first load takes at most 160 kB with brotli', (t) => {
	const dist = join(import.meta.dirname, '../dist');
	const { folder } = JSON.parse(readFileSync(join(dist, 'stamp.json'), 'utf8')) as { folder: string };
	const read = (file: string) => readFileSync(join(dist, folder, file));
	const manifest = JSON.parse(read('manifest.json').toString()) as Record<string, Chunk>;

	const sizes = new Map([['index.html', brotliCompressSync(read('index.html')).length]]);
	const seen = new Set<string>();
	function load(key: string): void {
		if (seen.has(key)) return;
		seen.add(key);
		const { file, css = [], imports = [] } = manifest[key] ?? assert.fail(`the build has no ${key}`);
		for (const name of [file, ...css]) sizes.set(name, read(`${name}.br`).length);
		imports.forEach(load);
	}
	LOADED_FIRST.forEach(load);

	const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
	const list = [...sizes].map(([name, size]) => `${name} ${size}`).join(', ');
	t.diagnostic(`${bytes} bytes: ${list}`);
	assert.ok(bytes <= MAX_BYTES, `the first load takes ${bytes} bytes, more than ${MAX_BYTES}: ${list}`);
	assert.ok(bytes > 50_000, `the first load takes only ${bytes} bytes, so files are missing: ${list}`);
});
