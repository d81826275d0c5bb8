import { get } from 'node:http';

/** A request that Squid is working on, from `mgr:active_requests`. */
export interface ActiveRequest {
	/** Address and port of the client's connection. */
	readonly peer: string;
	/** Address and port of Squid's side of it. */
	readonly local: string;
	/** As the client sent it: one character for each byte. */
	readonly username: string;
	/** When it began, in Unix seconds with three decimals, as in the access log. */
	readonly begin: string;
	readonly ageMs: number;
	/** Whether the user was let in. */
	readonly isAllowed: boolean;
	/** How many requests the connection has carried. */
	readonly requests: number;
	/** Bytes that were read from the connection and used, for all its requests. */
	readonly bytesReadOnConnection: number;
	/** Bytes of the request's headers. */
	readonly headerBytes: number;
	/** Bytes that were sent for this request. */
	readonly bytesDown: number;
}

const FIELDS = {
	connection: /^\tFD \d+, read (\d{1,16}), wrote (\d{1,16})$/,
	buffer: /^\tin: buf \S+, used (\d{1,16}), free -?\d+$/,
	remote: /^\tremote: (\S+)$/,
	local: /^\tlocal: (\S+)$/,
	requests: /^\tnrequests: (\d{1,10})$/,
	tag: /^logType (\S+)$/,
	out: /^out\.offset -?\d+, out\.size (\d{1,16})$/,
	header: /^req_sz (\d{1,16})$/,
	start: /^start (\d{1,11}\.\d{3})\d{3} \((\d{1,12}\.\d+) seconds ago\)$/,
	username: /^username (.*)$/s,
} as const;
type FieldName = keyof typeof FIELDS;

/**
 * Reads the answer of `mgr:active_requests`: a block of lines for each request, with an empty line at its end. A block
 * with another form is left out. The fields `uri` and `username` come from clients, and contain no line end.
 */
export function readActiveRequests(text: string): readonly ActiveRequest[] {
	return text.split('\n\n').flatMap((block) => {
		const request = readBlock(block.split('\n'));
		return request ? [request] : [];
	});
}

function readBlock(lines: readonly string[]): ActiveRequest | undefined {
	const found = new Map<FieldName, RegExpExecArray>();
	for (const line of lines) {
		for (const name of Object.keys(FIELDS) as FieldName[]) {
			const match = FIELDS[name].exec(line);
			if (match && found.has(name)) return undefined;
			if (match) found.set(name, match);
		}
	}
	if (found.size !== Object.keys(FIELDS).length) return undefined;
	const text = (name: FieldName, group = 1) => found.get(name)?.[group] ?? '';
	return {
		peer: text('remote'),
		local: text('local'),
		username: text('username'),
		begin: text('start'),
		ageMs: Number(text('start', 2)) * 1000,
		isAllowed: /^TCP_(?!DENIED)/.test(text('tag')),
		requests: Number(text('requests')),
		bytesReadOnConnection: Number(text('connection')) - Number(text('buffer')),
		headerBytes: Number(text('header')),
		bytesDown: Number(text('out')),
	};
}

const PATH = '/squid-internal-mgr/active_requests';
/** @bound The manager of Squid answers: then it is asked again later. */
const LIMIT_MS = 10_000;
/**
 * Squid tells about 600 bytes about a request, and more if its address is long.
 * @bound An answer of the manager of Squid: a longer one is not used.
 */
const MAX_BYTES = 1 << 27;

/** Asks Squid's manager. Rejects if it does not answer, or not with this list. */
export function fetchActiveRequests(manager: URL): Promise<readonly ActiveRequest[]> {
	return new Promise((resolve, reject) => {
		const signal = AbortSignal.timeout(LIMIT_MS);
		const request = get(new URL(PATH, manager), { agent: false, signal }, (response) => {
			const parts: Buffer[] = [];
			let bytes = 0;
			response.on('data', (part: Buffer) => {
				bytes += part.length;
				if (bytes > MAX_BYTES) response.destroy(new Error('the answer is too long'));
				else parts.push(part);
			});
			response.on('error', reject);
			response.on('end', () => {
				if (response.statusCode !== 200) return reject(new Error(`the manager answered ${response.statusCode}`));
				resolve(readActiveRequests(Buffer.concat(parts).toString('latin1')));
			});
		});
		request.on('error', reject);
	});
}
