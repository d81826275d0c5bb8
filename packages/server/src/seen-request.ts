import { createKeySeal } from './store/secrets/key-seal.ts';

// How `bursar doctor` asks a service, through everything in front of it, what it sees of a request: only the service sees
// that the public URL leads to it, and that a proxy passes client addresses on. Both know a key that is derived from the
// master key, and seal the question and the answer with it. So neither a stranger nor a proxy that logs headers learns
// anything. The question is the context of the answer: an answer that opens is not old, and is of a service on this store.

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

/** A question, as the value of the header. Each is different. */
export function newQuestion(key: Uint8Array): string {
	return createKeySeal(key).seal('', 'question');
}

/** The answer as JSON text; `undefined` if the question was not made with this key. */
export function answerQuestion(key: Uint8Array, question: string, seen: () => SeenRequest): string | undefined {
	const { openOnce, seal } = createKeySeal(key);
	try {
		openOnce(question, 'question');
	} catch {
		return undefined;
	}
	return JSON.stringify(seal(JSON.stringify(seen()), contextOfAnswer(question)));
}

/** Reads the answer to a question; `undefined` if it was not made with this key, or answers another question. */
export function readAnswer(key: Uint8Array, question: string, body: string): SeenRequest | undefined {
	try {
		return JSON.parse(createKeySeal(key).openOnce(JSON.parse(body), contextOfAnswer(question)));
	} catch {
		return undefined;
	}
}

function contextOfAnswer(question: string): string {
	return `answer to ${question}`;
}
