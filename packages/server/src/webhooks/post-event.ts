import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { isWebhookUrl } from '@bursar/contract/webhook-url';
import { type Address, createDestinationPolicy, type DestinationPolicy, pinned } from '@bursar/terminal/network';
import { version } from '../version.ts';

/** @bound One try of a webhook, from the look-up of its name to the end of the answer: then the try ends. */
const TRY_MS = 15_000;
/** @bound One address of a receiver accepts the connection: then the next address is tried. */
const ADDRESS_MS = 2_500;
/** @bound Bytes of the answer of a receiver: the rest is not read. */
const MAX_ANSWER_BYTES = 4_096;
/** @bound Bytes of the head of the answer of a receiver: with more, the try fails. */
const MAX_HEAD_BYTES = 16_384;
/** @bound Answers of a receiver that say only that it is still at work (1xx): with more, the try fails. */
const MAX_INTERIM_ANSWERS = 16;
/** Node passes these on to the connection, which its types do not say. */
const EACH_ADDRESS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ADDRESS_MS };
const USER_AGENT = `Bursar-Webhooks/${version}`;

export interface PosterOptions {
	/** Whether `http://127.0.0.1` and `http://localhost` are allowed. */
	readonly allowLoopback: boolean;
	/** The addresses that are allowed for `https`. Default: public ones. */
	readonly policy?: Pick<DestinationPolicy, 'resolve'>;
	/** A signal that ends a try that begins now. Default: after 15 seconds. */
	readonly deadline?: () => AbortSignal;
}

/**
 * Makes one try to post an event. Only `https` and public addresses are used. The name is looked up once, and the
 * connection goes to one of the addresses found. Redirects are not followed.
 *
 * Rejects only if the addresses of this machine cannot be read.
 */
export type Post = (delivery: Delivery) => Promise<Posted>;

interface Delivery {
	/** One that `isWebhookUrl` accepts. Any other is `refused_address`. */
	readonly url: string;
	/** Those of `signedHeaders`. */
	readonly headers: Readonly<Record<string, string>>;
	/** JSON. */
	readonly body: string;
	/** Ends the try. */
	readonly signal: AbortSignal;
}

export type Posted = Answered | NotAnswered;

/** The status has arrived. It counts, even if the rest of the answer is cut off. */
interface Answered {
	readonly status: number;
	/** How long `Retry-After` asks to wait, in milliseconds from now. It may be of any length. */
	readonly retryAfterMs: number | undefined;
	/** The first 4 KiB of the answer. Control characters and characters that cannot be seen are spaces. */
	readonly answer: string;
	readonly tookMs: number;
}

/** The receiver may have read the event, unless the failure is one of address, name or certificate. */
interface NotAnswered {
	readonly failure: PostFailure;
	/** A sentence without a secret, and without the URL. */
	readonly message: string;
	readonly tookMs: number;
}

type PostFailure =
	/** The URL or the address is none that a webhook may have. */
	| 'refused_address'
	/** The name has no address, or no name server answers. */
	| 'unresolvable'
	/** The certificate is not trusted, or is one of another name. */
	| 'certificate'
	/** No address accepts the connection, or it breaks before the status. */
	| 'connection'
	/** What came is not HTTP, or its head is too long. */
	| 'invalid_answer'
	/** No status came in time. */
	| 'timeout'
	/** `signal` ended the try. */
	| 'stopped';

type Outcome = Omit<Answered, 'tookMs'> | Omit<NotAnswered, 'tookMs'>;

/** Throws if the addresses of this machine are needed and cannot be read. */
export function createPoster(options: PosterOptions): Post {
	const { allowLoopback, deadline = () => AbortSignal.timeout(TRY_MS) } = options;
	const { policy = createDestinationPolicy({ allowPrivate: false }) } = options;
	const loopback = createDestinationPolicy({ allowPrivate: true });

	async function outcomeOf(delivery: Delivery): Promise<Outcome> {
		if (!isWebhookUrl(delivery.url, allowLoopback)) {
			return { failure: 'refused_address', message: 'The URL is none that a webhook may have.' };
		}
		const url = new URL(delivery.url);
		// Kept until the end: some versions of Node forget a signal that only `any` knows.
		const late = deadline();
		const end = AbortSignal.any([delivery.signal, late]);
		const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
		const allowed = url.protocol === 'http:' ? loopback : policy;
		const addresses = await unlessEnded(end, allowed.resolve(url.hostname, port));
		if (addresses === 'refused') return { failure: 'refused_address', message: 'The host has no public address.' };
		if (addresses === 'unresolvable') return { failure: 'unresolvable', message: 'The name has no address.' };
		const outcome = addresses === 'ended' ? addresses : await exchange(delivery, { url, port, addresses, end });
		if (outcome !== 'ended') return outcome;
		return late.aborted
			? { failure: 'timeout', message: 'No answer came in time.' }
			: { failure: 'stopped', message: 'The try was stopped.' };
	}

	return async (delivery) => {
		const begunAtMs = performance.now();
		const outcome = await outcomeOf(delivery);
		return { ...outcome, tookMs: Math.round(performance.now() - begunAtMs) };
	};
}

interface Way {
	readonly url: URL;
	readonly port: number;
	readonly addresses: readonly Address[];
	readonly end: AbortSignal;
}

function exchange({ headers, body }: Delivery, { url, port, addresses, end }: Way): Promise<Outcome | 'ended'> {
	return new Promise((resolve) => {
		const request = (url.protocol === 'http:' ? requestHttp : requestHttps)({
			method: 'POST',
			host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
			port,
			path: url.pathname + url.search,
			headers: {
				...headers,
				'content-type': 'application/json',
				'user-agent': USER_AGENT,
				'accept-encoding': 'identity',
			},
			lookup: pinned(addresses),
			...EACH_ADDRESS,
			// A connection of its own, which is not kept.
			agent: false,
			maxHeaderSize: MAX_HEAD_BYTES,
			// Whatever the environment says.
			rejectUnauthorized: true,
			signal: end,
		});
		let interimAnswers = 0;
		request.on('information', () => {
			interimAnswers++;
			if (interimAnswers <= MAX_INTERIM_ANSWERS) return;
			resolve({ failure: 'invalid_answer', message: 'Too many interim answers came.' });
			request.destroy();
		});
		let hasStatus = false;
		request.once('response', async (response) => {
			hasStatus = true;
			const answer = await readAnswer(response);
			resolve({ status: response.statusCode ?? 0, retryAfterMs: readRetryAfter(response), answer });
			request.destroy();
		});
		const fail = (code: string) => {
			if (!hasStatus) resolve(end.aborted ? 'ended' : failureOf(code, request.socket));
		};
		request.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => fail(code));
		// Without an error, for example if the receiver changes the protocol.
		request.on('close', () => fail('closed'));
		request.end(body);
	});
}

/** Reads the beginning of an answer, which may be cut off at any byte. */
async function readAnswer(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of response) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes >= MAX_ANSWER_BYTES) break;
		}
	} catch {
		// What has arrived is shown.
	}
	// A character that is cut in two is left out.
	const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), { stream: true });
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** `Retry-After` is a number of seconds, or a date. */
function readRetryAfter({ headers }: IncomingMessage): number | undefined {
	const text = headers['retry-after'] ?? '';
	const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
	return ms >= 0 && ms < Number.POSITIVE_INFINITY ? ms : undefined;
}

/** Shows only the code of an error: its message may have parts of the URL or of what came. */
function failureOf(code: string, socket: unknown): Outcome {
	if (socket instanceof TLSSocket && socket.authorizationError) {
		return { failure: 'certificate', message: `The certificate is refused (${code}).` };
	}
	return code.startsWith('HPE_')
		? { failure: 'invalid_answer', message: `What came is no HTTP answer (${code}).` }
		: { failure: 'connection', message: `The connection failed (${code}).` };
}

function unlessEnded<Result>(end: AbortSignal, promise: Promise<Result>): Promise<Result | 'ended'> {
	return new Promise((resolve, reject) => {
		promise.then(resolve, reject);
		if (end.aborted) resolve('ended');
		end.addEventListener('abort', () => resolve('ended'), { once: true });
	});
}
