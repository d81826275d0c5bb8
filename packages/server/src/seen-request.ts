import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// How `bursar doctor` asks a service, through everything in front of it, what it sees of a request. Both know a key that
// is derived from the master key. So strangers get no answer, and an answer shows that it comes from a service on the
// same store. A service keeps nothing for it.

/** Below the dashboard's calls. */
export const SEEN_PATH = '/seen';
export const SEEN_HEADER = 'x-bursar-doctor';
/** The purpose for which the key is derived. */
export const SEEN_KEY = 'requests of bursar doctor';

/** What a service sees of a request. */
export interface SeenRequest {
	/** The version of the service. */
	readonly version: string;
	/** The address that is connected to the service: that of the nearest proxy. */
	readonly connectedFrom: string;
	/** Whether that address is one of `BURSAR_TRUSTED_PROXIES`. */
	readonly isTrusted: boolean;
	/** The whole `X-Forwarded-For`; `null` without it. */
	readonly forwardedFor: string | null;
	/** The address that counts as the client's. */
	readonly client: string;
}

const NONCE_BYTES = 16;
const QUESTION = /^([0-9a-f]{32})\.([0-9a-f]{64})$/;

/** A question, as the value of the header. */
export function newQuestion(key: Uint8Array): string {
	const nonce = randomBytes(NONCE_BYTES).toString('hex');
	return `${nonce}.${proof(key, `question ${nonce}`)}`;
}

/** The answer as JSON text; `undefined` if the question was not made with this key. */
export function answerQuestion(key: Uint8Array, question: string, seen: () => SeenRequest): string | undefined {
	const [, nonce, given = ''] = QUESTION.exec(question) ?? [];
	if (nonce === undefined || !areEqual(given, proof(key, `question ${nonce}`))) return undefined;
	const text = JSON.stringify(seen());
	return JSON.stringify({ seen: text, proof: proof(key, `answer ${nonce} ${text}`) });
}

/** Reads the answer to a question; `undefined` if it was not made with this key. */
export function readAnswer(key: Uint8Array, question: string, body: string): SeenRequest | undefined {
	const [nonce] = question.split('.');
	try {
		const answer = JSON.parse(body) as { readonly seen?: unknown; readonly proof?: unknown };
		if (!areEqual(String(answer.proof), proof(key, `answer ${nonce} ${answer.seen}`))) return undefined;
		return JSON.parse(String(answer.seen)) as SeenRequest;
	} catch {
		return undefined;
	}
}

function proof(key: Uint8Array, text: string): string {
	return createHmac('sha256', key).update(text).digest('hex');
}

function areEqual(one: string, other: string): boolean {
	return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
