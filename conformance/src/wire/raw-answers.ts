import { lenientHeaders, type ReceivedAnswer } from './answer.ts';

/** Thrown for bytes that are not an HTTP answer. */
export class NoHttpError extends Error {
	override readonly name = 'NoHttpError';
}

/**
 * The complete answers at the start of the bytes, without an incomplete one after them. `methods` are the methods of
 * the requests in their order: an answer to HEAD or CONNECT has no body, whatever its headers say. If `hasEnded`, the
 * connection has ended, and so has a body without a length.
 */
export function parseAnswers(bytes: Buffer, methods: readonly string[], hasEnded: boolean): ReceivedAnswer[] {
	const answers: ReceivedAnswer[] = [];
	let rest = bytes;
	let request = 0;
	for (;;) {
		const headEnd = rest.indexOf('\r\n\r\n');
		if (headEnd === -1) {
			if (hasEnded) expectBeginning(rest);
			return answers;
		}
		const head = parseHead(rest.subarray(0, headEnd).toString('latin1'));
		const isInterim = head.status < 200;
		const isBodiless = isInterim || ['HEAD', 'CONNECT'].includes(methods[request] ?? '');
		const body = isBodiless
			? { bytes: Buffer.alloc(0), length: 0 }
			: readBody(rest.subarray(headEnd + 4), head.headers, hasEnded);
		if (!body) return answers;
		answers.push({ ...head, text: body.bytes.toString('utf8') });
		rest = rest.subarray(headEnd + 4 + body.length);
		if (!isInterim) request++;
	}
}

/** The rest must be the start of an answer. Otherwise a body is longer than stated, or must not exist. */
function expectBeginning(bytes: Buffer): void {
	const start = bytes.subarray(0, 'HTTP/'.length).toString('latin1');
	if (!'HTTP/'.startsWith(start)) throw new NoHttpError('after the answer there are bytes that belong to no answer');
}

function parseHead(text: string): { status: number; headers: Headers } {
	const [statusLine = '', ...lines] = text.split('\r\n');
	const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
	if (status === undefined) throw new NoHttpError(`the answer does not begin like HTTP: ${statusLine}`);
	const pairs = lines.map((line) => {
		const colon = line.indexOf(':');
		return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
	});
	return { status: Number(status), headers: lenientHeaders(pairs) };
}

interface Body {
	readonly bytes: Buffer;
	/** Its size in bytes on the wire. */
	readonly length: number;
}

function readBody(bytes: Buffer, headers: Headers, hasEnded: boolean): Body | undefined {
	if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes);
	const stated = headers.get('content-length');
	if (stated === null) return hasEnded ? { bytes, length: bytes.length } : undefined;
	const length = Number(stated);
	if (!Number.isSafeInteger(length)) throw new NoHttpError(`the answer has a Content-Length of ${stated}`);
	return bytes.length < length ? undefined : { bytes: bytes.subarray(0, length), length };
}

/** The chunked body at the start of the bytes; `undefined` if it is incomplete. */
export function readChunks(bytes: Buffer): Body | undefined {
	const chunks: Buffer[] = [];
	let at = 0;
	for (;;) {
		const sizeEnd = bytes.indexOf('\r\n', at);
		if (sizeEnd === -1) return undefined;
		const sizeText = bytes.subarray(at, sizeEnd).toString('latin1');
		const size = Number.parseInt(sizeText, 16);
		if (!(size >= 0)) throw new NoHttpError(`the answer has a chunk with the size ${sizeText}`);
		const end = sizeEnd + 2 + size;
		if (bytes.length < end + 2) return undefined;
		chunks.push(bytes.subarray(sizeEnd + 2, end));
		at = end + 2;
		if (size === 0) return { bytes: Buffer.concat(chunks), length: at };
	}
}
