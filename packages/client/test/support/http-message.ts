/** A request or an answer, whole. */
export interface HttpMessage {
	readonly bytes: Buffer;
	/** Of a request `POST /path HTTP/1.1`, of an answer `HTTP/1.1 200 OK`. */
	readonly startLine: string;
	readonly headers: Headers;
	readonly headLength: number;
}

const HEAD_END = '\r\n\r\n';

/** The message that the bytes begin with, once it is there whole. Its length must stand in its headers. */
export function firstMessage(bytes: Buffer): HttpMessage | undefined {
	const headEnd = bytes.indexOf(HEAD_END);
	if (headEnd < 0) return undefined;
	const [startLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
	const headers = new Headers(
		lines.map((line): [string, string] => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon), line.slice(colon + 1).trim()];
		}),
	);
	if (headers.has('transfer-encoding')) throw new Error(`this reads no chunked messages: ${startLine}`);
	const headLength = headEnd + HEAD_END.length;
	const length = headLength + Number(headers.get('content-length') ?? 0);
	if (bytes.length < length) return undefined;
	return { bytes: bytes.subarray(0, length), startLine, headers, headLength };
}
