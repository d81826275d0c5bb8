import { crc32, deflateSync } from 'node:zlib';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk of a PNG, with its right check value. */
export function pngChunk(type: string, data: Uint8Array | string = ''): Buffer {
	const body = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
	const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(body.length - 4);
	check.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, check]);
}

/** The header of a PNG with colours of three bytes, unless another kind is given. */
export function pngHeader(width: number, height: number, kind: readonly number[] = [8, 2, 0, 0, 0]): Buffer {
	const size = Buffer.alloc(8);
	size.writeUInt32BE(width);
	size.writeUInt32BE(height, 4);
	return pngChunk('IHDR', Buffer.concat([size, Buffer.from(kind)]));
}

/** A sound PNG of one colour. */
export function png(width = 2, height = 1, [red, green, blue] = [11, 114, 133]): Buffer {
	const line = Buffer.from([0, ...Array.from({ length: width }, () => [red ?? 0, green ?? 0, blue ?? 0]).flat()]);
	const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
	return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), pngChunk('IDAT', pixels), pngChunk('IEND')]);
}
