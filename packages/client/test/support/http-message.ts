/** A request or an answer, whole. */
export interface HttpMessage {
	readonly bytes: Buffer;
	/** `POST /path HTTP/1.1` for a request, `HTTP/1.1 200 OK` for an answer. */
	readonly startLine: string;
	readonly headers: Headers;
	readonly headLength: number;
}

const HEAD_END = '\r\n\r\n';

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** The first message in the bytes, once it is complete. Bodies are JSON, so no chunk of a body holds a line end. */
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
	const headLength = headEnd + HEAD_END.length;
	const length = headers.has('transfer-encoding')
		? endOf(bytes, LAST_CHUNK, headLength)
		: headLength + Number(headers.get('content-length') ?? 0);
	if (length === undefined || bytes.length < length) return undefined;
	return { bytes: bytes.subarray(0, length), startLine, headers, headLength };
}

function endOf(bytes: Buffer, text: string, from: number): number | undefined {
	const start = bytes.indexOf(text, from);
	return start < 0 ? undefined : start + text.length;
}
