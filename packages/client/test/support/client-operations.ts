import { AsyncLocalStorage } from 'node:async_hooks';
import { ERROR_CODE_HEADER, REQUEST_ID_HEADER } from '@bursar/contract';
import {
	type Bursar,
	BursarError,
	type CallOptions,
	type Creation,
	InsufficientBalanceError,
	OutcomeUnknownError,
	type ReplacedAuthKey,
	type Transfer,
	UsernameTakenError,
} from '../../src/index.ts';
import { OPERATION_HEADER } from './faulty-network.ts';

/** The methods that make changes: of the client, or of one that is wrong on purpose. */
export type Changer = Pick<Bursar['subUsers'], 'create' | 'give' | 'take' | 'resetAuthKey'>;

/** A call that a workload makes. */
export interface Task {
	/** Unique in a workload. */
	readonly number: number;
	readonly kind:
		| 'create'
		/** The username belongs to another reseller. */
		| 'create_taken'
		/** This reseller owns the username already. */
		| 'create_owned'
		| 'give'
		| 'take'
		/** More than the balance. */
		| 'take_too_much'
		| 'reset';
	readonly username: string;
	/** The amount of a transfer, in USD cents: unique in the workload. */
	readonly amountCents: number;
	/** When its caller aborts it, if it has not ended by then. */
	readonly givenUpAfterMs: number | undefined;
}

/** What a call reported. */
type Report =
	| { readonly kind: 'done'; readonly what: Creation | Transfer | ReplacedAuthKey }
	/** The service refused it, with the error that such a call expects. */
	| { readonly kind: 'refused'; readonly error: BursarError }
	| { readonly kind: 'not_done'; readonly error: BursarError }
	| { readonly kind: 'unknown'; readonly error: OutcomeUnknownError }
	/** Its caller gave up, and nothing was done. */
	| { readonly kind: 'given_up' };

/** One HTTP request, as its sender saw it. */
interface SentRequest {
	readonly path: string;
	/** The status, if the answer began. */
	status?: number;
	/** Whether a whole answer of the service arrived that tells the outcome. */
	wasAnswered: boolean;
}

/** A call that has ended. */
export interface Operation extends Task {
	readonly report: Report;
	readonly requests: readonly SentRequest[];
	readonly tookMs: number;
}

const current = new AsyncLocalStorage<{ readonly number: number; readonly requests: SentRequest[] }>();

/** Runs a task to its end. The changer must send its requests through {@link observedFetch}. */
export async function operate(changer: Changer, task: Task): Promise<Operation> {
	const requests: SentRequest[] = [];
	const sinceMs = performance.now();
	const report = await current.run({ number: task.number, requests }, () => reportOf(changer, task));
	return { ...task, report, requests, tookMs: performance.now() - sinceMs };
}

/** The global `fetch`, which adds the number of the operation to each request and records its outcome. */
export const observedFetch: typeof fetch = async (input, init) => {
	const operation = current.getStore();
	if (operation === undefined) throw new Error('a request of no operation');
	const sent: SentRequest = { path: new URL(String(input)).pathname, wasAnswered: false };
	operation.requests.push(sent);
	const headers = new Headers(init?.headers);
	headers.set(OPERATION_HEADER, String(operation.number));
	const response = await fetch(input, { ...init, headers });
	sent.status = response.status;
	const whole = new TransformStream({
		flush() {
			// An answer that a proxy makes has no such header. A 408 may have been sent before the request arrived: the service
			// gave up waiting for the first request of its connection.
			const isRepeat = response.headers.get(ERROR_CODE_HEADER) === 'change_repeated';
			const tellsOutcome = response.status < 500 && response.status !== 408 && !isRepeat;
			sent.wasAnswered = tellsOutcome && response.headers.has(REQUEST_ID_HEADER);
		},
	});
	return new Response(response.body?.pipeThrough(whole), response);
};

async function reportOf(changer: Changer, task: Task): Promise<Report> {
	const signal = task.givenUpAfterMs === undefined ? undefined : AbortSignal.timeout(task.givenUpAfterMs);
	try {
		return { kind: 'done', what: await callOf(changer, task, signal && { signal }) };
	} catch (error) {
		if (error === signal?.reason) return { kind: 'given_up' };
		if (error instanceof OutcomeUnknownError) return { kind: 'unknown', error };
		if (!(error instanceof BursarError)) throw error;
		return { kind: isExpected(error, task) ? 'refused' : 'not_done', error };
	}
}

function callOf(
	changer: Changer,
	{ kind, username, amountCents }: Task,
	options: CallOptions = {},
): Promise<Creation | Transfer | ReplacedAuthKey> {
	switch (kind) {
		case 'give':
			return changer.give(username, amountCents, options);
		case 'take':
		case 'take_too_much':
			return changer.take(username, amountCents, options);
		case 'reset':
			return changer.resetAuthKey(username, options);
		default:
			return changer.create(username, options);
	}
}

function isExpected(error: BursarError, { kind }: Task): boolean {
	return (
		(kind === 'create_taken' && error instanceof UsernameTakenError) ||
		(kind === 'take_too_much' && error instanceof InsufficientBalanceError)
	);
}
