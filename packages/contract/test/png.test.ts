import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PNG_SIGNATURE, png, pngChunk, pngHeader } from '@bursar/testing/png';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { MAX_LOGO_BYTES, readPng } from '../src/png.ts';

const DATA = pngChunk('IDAT', 'pixels');
const END = pngChunk('IEND');
const fileOf = (...chunks: readonly Uint8Array[]) => Buffer.concat([PNG_SIGNATURE, ...chunks]);
const header = (kind?: readonly number[], width = 2, height = 1) => pngHeader(width, height, kind);

/** `ok`, or what is wrong. */
function ending(file: Uint8Array): string {
	const read = readPng(file);
	return 'problem' in read ? read.problem : 'ok';
}

test('an image stays as it is, and texts, times, profiles and what follows its end are left out', () => {
	const plain = png(3, 2);
	const read = readPng(plain);
	assert.ok('bytes' in read);
	assert.deepEqual([Buffer.from(read.bytes), read.width, read.height], [plain, 3, 2]);
	const kept = [
		...[header([8, 3, 0, 0, 1]), pngChunk('gAMA', Buffer.alloc(4)), pngChunk('sRGB', '\0')],
		...[pngChunk('PLTE', 'abcdef'), pngChunk('tRNS', '\0'), DATA, pngChunk('IDAT'), END],
	];
	const [first = END, ...rest] = kept;
	const texts = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'pHYs', 'svGx'].map((type) => pngChunk(type, '<svg>'));
	const cleaned = readPng(Buffer.concat([fileOf(first, ...texts, ...rest), Buffer.from('<script>PK\u0003\u0004')]));
	assert.ok('bytes' in cleaned);
	assert.deepEqual(Buffer.from(cleaned.bytes), fileOf(...kept));
	assert.equal(ending(cleaned.bytes), 'ok');
});

test('another type of file is refused, whatever it is called', () => {
	for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '\u00ff\u00d8\u00ff\u00e0', 'RIFF']) {
		assert.equal(ending(Buffer.from(text, 'latin1')), 'not_png', text);
	}
	assert.equal(ending(Buffer.alloc(MAX_LOGO_BYTES + 1)), 'too_large');
});

test('a small file with a large image, which could take much memory, is refused', () => {
	for (const [width, height, wanted] of [
		...[[1024, 1024, 'ok'] as const, [1025, 1, 'too_many_pixels'] as const, [1, 1025, 'too_many_pixels'] as const],
		...[[0xffff_ffff, 0xffff_ffff, 'too_many_pixels'] as const, [0, 1, 'damaged'] as const, [1, 0, 'damaged'] as const],
	]) {
		assert.equal(ending(fileOf(header(undefined, width, height), DATA, END)), wanted, `${width} ${height}`);
	}
});

test('an animated image is refused', () => {
	for (const type of ['acTL', 'fcTL', 'fdAT']) {
		assert.equal(ending(fileOf(header(), pngChunk(type, Buffer.alloc(8)), DATA, END)), 'animated', type);
	}
});

test('chunks that are missing, twice, out of order, unknown or of a wrong length are refused', () => {
	const [palette, clear] = [pngChunk('PLTE', 'abc'), pngChunk('tRNS', '\0')];
	const gamma = pngChunk('gAMA', Buffer.alloc(4));
	const byPalette = header([8, 3, 0, 0, 0]);
	const wrong: Readonly<Record<string, readonly Uint8Array[]>> = {
		nothing: [],
		'no end': [header(), DATA],
		'no header': [DATA, END],
		'no data': [header(), END],
		'data before the header': [DATA, header(), END],
		'two headers': [header(), header(), DATA, END],
		'data apart': [header(), DATA, pngChunk('tEXt', 'a'), DATA, END],
		'an end with something in it': [header(), DATA, pngChunk('IEND', 'x')],
		'an unknown critical chunk': [header(), pngChunk('ABCD'), DATA, END],
		'a type that is none': [header(), pngChunk('t\0xt'), DATA, END],
		'no palette': [byPalette, DATA, END],
		'a palette of grey': [header([8, 0, 0, 0, 0]), palette, DATA, END],
		'two palettes': [byPalette, palette, palette, DATA, END],
		'a late palette': [byPalette, DATA, palette, END],
		'a palette of 4 bytes': [byPalette, pngChunk('PLTE', 'abcd'), DATA, END],
		'a palette of 257 colours': [byPalette, pngChunk('PLTE', Buffer.alloc(771)), DATA, END],
		'transparency before the palette': [byPalette, clear, palette, DATA, END],
		'transparency after the data': [header(), DATA, clear, END],
		'transparency twice': [header(), clear, clear, DATA, END],
		'transparency of 257 bytes': [header(), pngChunk('tRNS', Buffer.alloc(257)), DATA, END],
		'brightness of 5 bytes': [header(), pngChunk('gAMA', Buffer.alloc(5)), DATA, END],
		'brightness after the palette': [byPalette, palette, gamma, DATA, END],
	};
	for (const [what, chunks] of Object.entries(wrong)) assert.equal(ending(fileOf(...chunks)), 'damaged', what);
	for (const kind of [
		...[
			[3, 0, 0, 0, 0],
			[16, 3, 0, 0, 0],
			[4, 2, 0, 0, 0],
			[8, 1, 0, 0, 0],
			[8, 2, 1, 0, 0],
			[8, 2, 0, 1, 0],
		],
		...[
			[8, 2, 0, 0, 2],
			[8, 2, 0, 0],
			[8, 2, 0, 0, 0, 0],
		],
	]) {
		assert.equal(ending(fileOf(header(kind), DATA, END)), 'damaged', kind.join());
	}
});

test('a chunk whose check value or length is wrong is refused, and so is an image that was cut off', () => {
	const whole = png();
	for (let end = PNG_SIGNATURE.length; end < whole.length; end++) {
		assert.equal(ending(whole.subarray(0, end)), 'damaged', String(end));
	}
	for (let at = PNG_SIGNATURE.length; at < whole.length; at++) {
		const changed = Uint8Array.from(whole);
		changed[at] = (changed[at] as number) ^ 1;
		assert.notEqual(ending(changed), 'ok', String(at));
	}
});

test('any bytes are answered, soon, and an image that was accepted is accepted again as it is', (t) => {
	const chunk = fc
		.tuple(fc.constantFrom('IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'sRGB', 'tEXt', 'acTL'), fc.uint8Array())
		.map(([type, data]) => pngChunk(type, data));
	const files = fc.oneof(
		fc.uint8Array().map((bytes) => Buffer.concat([PNG_SIGNATURE, bytes])),
		fc.array(chunk).map((chunks) => fileOf(header(), ...chunks, DATA, END)),
	);
	fc.assert(
		fc.property(files, (file) => {
			const read = readPng(file);
			if ('bytes' in read) assert.deepEqual(readPng(read.bytes), read);
		}),
		{ seed: printedSeed(t) },
	);
	const many = Array.from({ length: 5_000 }, () => clearChunk);
	const begunAtMs = performance.now();
	assert.equal(ending(fileOf(header(), ...many, DATA, END)), 'damaged');
	assert.ok(performance.now() - begunAtMs < 2_000);
});

const clearChunk = pngChunk('tRNS', '\0');
