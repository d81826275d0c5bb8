/** @bound Bytes of a logo: a larger one is refused. */
export const MAX_LOGO_BYTES = 64 * 1024;
/** @bound Pixels of a side of a logo: a larger one is refused, so that a small file cannot take much memory of a browser. */
export const MAX_LOGO_PIXELS = 1024;

/** Why a file cannot be a logo. */
export type PngProblem = 'too_large' | 'not_png' | 'too_many_pixels' | 'animated' | 'damaged';

/** A PNG with nothing in it but what shows it. */
export interface Png {
	readonly bytes: Uint8Array;
	readonly width: number;
	readonly height: number;
}

/**
 * Checks a PNG that a stranger may have made, and leaves out all that is not needed to show it: texts, times, profiles, and
 * what stands behind its end. Its structure is checked whole. Its pixels are not unpacked: the browser does that, and the
 * bounds of the sides bound it.
 */
export function readPng(file: Uint8Array): Png | { readonly problem: PngProblem } {
	if (file.length > MAX_LOGO_BYTES) return { problem: 'too_large' };
	if (SIGNATURE.some((byte, index) => file[index] !== byte)) return { problem: 'not_png' };
	const chunks = chunksOf(file);
	if (chunks?.some(({ type }) => ANIMATION.includes(type))) return { problem: 'animated' };
	const header = chunks?.[0]?.type === 'IHDR' ? readHeader(chunks[0].data) : undefined;
	if (!chunks || !header || !isInOrder(chunks, header)) return { problem: 'damaged' };
	const { width, height } = header;
	if (Math.max(width, height) > MAX_LOGO_PIXELS) return { problem: 'too_many_pixels' };
	const kept = chunks.filter(({ type }) => isCritical(type) || type in KEPT_BYTES);
	return { bytes: joined([Uint8Array.from(SIGNATURE), ...kept.map(({ whole }) => whole)]), width, height };
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const ANIMATION = ['acTL', 'fcTL', 'fdAT'];

/** What is kept besides the image itself, and how long it is at most: what is transparent, and how bright the colours are. */
const KEPT_BYTES: Readonly<Record<string, number>> = { tRNS: 256, gAMA: 4, sRGB: 1 };

interface Chunk {
	readonly type: string;
	readonly data: Uint8Array;
	/** With its length, type and check value. */
	readonly whole: Uint8Array;
}

/** The chunks up to the end of the image; `undefined` if one is damaged, or if there is no end. */
function chunksOf(file: Uint8Array): readonly Chunk[] | undefined {
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	const chunks: Chunk[] = [];
	let at = SIGNATURE.length;
	while (at + 12 <= file.length) {
		const length = view.getUint32(at);
		const end = at + 12 + length;
		if (end > file.length) return undefined;
		const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
		const isSound = /^[A-Za-z]{4}$/.test(type) && view.getUint32(end - 4) === crc32(file.subarray(at + 4, end - 4));
		if (!isSound) return undefined;
		chunks.push({ type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) });
		at = end;
		if (type === 'IEND') return length === 0 ? chunks : undefined;
	}
	return undefined;
}

interface Header {
	readonly width: number;
	readonly height: number;
	readonly colorType: number;
}

/** The depths that each kind of colour can have (PNG, 11.2.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
	0: [1, 2, 4, 8, 16],
	2: [8, 16],
	3: [1, 2, 4, 8],
	4: [8, 16],
	6: [8, 16],
};

function readHeader(data: Uint8Array): Header | undefined {
	if (data.length !== 13) return undefined;
	const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
	const [width, height] = [view.getUint32(0), view.getUint32(4)];
	const [depth = 0, colorType = 0, compression, filter, interlace = 0] = data.subarray(8);
	const isSound = DEPTHS[colorType]?.includes(depth) && compression === 0 && filter === 0 && interlace <= 1;
	return isSound && width > 0 && height > 0 ? { width, height, colorType } : undefined;
}

/** Whether each chunk that is kept stands where it may, as often as it may, and is as long as it may be. */
function isInOrder(chunks: readonly Chunk[], { colorType }: Header): boolean {
	const types = chunks.map(({ type }) => type);
	const count = (wanted: string) => types.filter((type) => type === wanted).length;
	const [firstData, lastData] = [types.indexOf('IDAT'), types.lastIndexOf('IDAT')];
	const palette = types.indexOf('PLTE');
	if (count('IHDR') !== 1 || firstData < 0 || lastData - firstData + 1 !== count('IDAT')) return false;
	// Grey has no palette, and colours by number need one.
	if (count('PLTE') > 1 || (palette >= 0 ? colorType === 0 || colorType === 4 : colorType === 3)) return false;
	return chunks.every(({ type, data }, index) => {
		if (type === 'PLTE') return index < firstData && data.length > 0 && data.length <= 768 && data.length % 3 === 0;
		const most = KEPT_BYTES[type];
		if (most === undefined) return !isCritical(type) || ['IHDR', 'IDAT', 'IEND'].includes(type);
		const isPlaced = index < firstData && (palette < 0 || (type === 'tRNS' ? index > palette : index < palette));
		const isLong = type === 'tRNS' ? data.length > 0 && data.length <= most : data.length === most;
		return count(type) === 1 && isPlaced && isLong;
	});
}

/** A reader of PNG that does not know a critical chunk cannot show the image. */
function isCritical(type: string): boolean {
	return /^[A-Z]/.test(type);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
	let rest = byte;
	for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xed_b8_83_20 ^ (rest >>> 1) : rest >>> 1;
	return rest;
});

function crc32(bytes: Uint8Array): number {
	let crc = 0xff_ff_ff_ff;
	for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
	return ~crc >>> 0;
}
