import {
	DASHBOARD_API,
	type DashboardChanges,
	type DashboardErrorCode,
	type DashboardReads,
	PERSON_HEADER,
	personHeader,
} from '@bursar/contract/dashboard';
import { failureTexts } from './failure-texts.ts';
import { learnServerTime } from './server-clock.ts';

/**
 * How long a call may take. The service answers within five seconds, so a later answer is lost.
 * @bound A page waits for an answer: then the answer counts as lost.
 */
const CALL_LIMIT_MS = 15_000;

/**
 * Why a call failed. `lost`: no answer of the service arrived, so a change may have happened or not. `page_fault`: the
 * page itself is at fault, before or after the call, so that is not known either.
 */
export type CallCode = DashboardErrorCode | 'lost' | 'page_fault';

/** Thrown if a call fails. */
export class CallError extends Error {
	override readonly name = 'CallError';
	readonly code: CallCode;
	/** 0 if no answer arrived. */
	readonly status: number;
	/** How long to wait before the next try, in seconds. */
	readonly waitSeconds: number | undefined;

	constructor(code: CallCode, status = 0, waitSeconds?: number) {
		super(code);
		this.code = code;
		this.status = status;
		this.waitSeconds = waitSeconds;
	}
}

/** Why a call failed. Anything but a `CallError` is a fault of the page: the console tells it. */
export function callErrorOf(error: unknown): CallError {
	if (error instanceof CallError) return error;
	// biome-ignore lint/suspicious/noConsole: only the console has the stack of the fault.
	console.error(error);
	return new CallError('page_fault');
}

const PASSING: readonly CallCode[] = ['lost', 'unavailable', 'outcome_unknown', 'internal_error', 'request_timeout'];

/** Whether the same read may succeed soon. */
export function isPassing(error: unknown): boolean {
	return error instanceof CallError && PASSING.includes(error.code);
}

/**
 * Asks the dashboard's own API. Throws `CallError`, or the reason of the signal that gave the read up. `null` is the answer
 * for a sub-user that does not exist, so it is thrown as `unknown_sub_user`.
 */
export async function read<Path extends keyof DashboardReads>(
	path: Path,
	query: DashboardReads[Path]['query'],
	unwanted?: AbortSignal,
): Promise<NonNullable<DashboardReads[Path]['answer']>> {
	const answer: DashboardReads[Path]['answer'] = await call(withQuery(path, query), { method: 'GET' }, unwanted);
	if (answer === null) throw new CallError('unknown_sub_user');
	return answer;
}

/** A path with its query. What is `undefined` is left out. */
export function withQuery(path: string, query: object): string {
	const given = Object.entries(query).filter(([, value]) => value !== undefined);
	const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return search === '' ? path : `${path}?${search}`;
}

/**
 * Changes something by the dashboard's own API. It is sent once. The service does nothing if another person is
 * signed in. Throws `CallError`.
 */
export function change<Path extends keyof DashboardChanges>(
	path: Path,
	body: DashboardChanges[Path]['body'],
	email?: string,
): Promise<DashboardChanges[Path]['answer']> {
	const answer = call<DashboardChanges[Path]['answer']>(path, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			...(email !== undefined && { [PERSON_HEADER]: personHeader(email) }),
		},
		body: JSON.stringify(body),
	});
	if (path.startsWith('/proof')) proofs = Promise.allSettled([proofs, answer]);
	return answer;
}

/** The proofs that were sent so far. */
let proofs: Promise<unknown> = Promise.resolve();

/** Resolves when no proof is under way. A proof gives the session a new cookie, which comes with its answer. */
export async function allProofsAnswered(): Promise<void> {
	await proofs;
}

interface Envelope {
	readonly status: number;
	readonly data: unknown;
	readonly timestamp: number;
}

async function call<Answer>(path: string, request: RequestInit, unwanted?: AbortSignal): Promise<Answer> {
	const sentMs = performance.now();
	const late = AbortSignal.timeout(CALL_LIMIT_MS);
	const signal = unwanted ? AbortSignal.any([late, unwanted]) : late;
	let response: Response;
	let envelope: unknown;
	try {
		response = await fetch(DASHBOARD_API + path, { ...request, signal, cache: 'no-store', credentials: 'same-origin' });
		envelope = await response.json();
	} catch {
		unwanted?.throwIfAborted();
		throw new CallError('lost');
	}
	// A proxy may answer instead of the service. Its answer does not repeat the status in an envelope.
	if (!isEnvelope(envelope) || envelope.status !== response.status) throw new CallError('lost');
	learnServerTime({ sentMs, receivedMs: performance.now(), timestamp: envelope.timestamp });
	if (response.ok) return envelope.data as Answer;
	const code = response.headers.get('x-error-code');
	if (!isKnown(code)) throw new CallError('lost');
	throw new CallError(code, response.status, secondsIn(response.headers.get('retry-after')));
}

function isEnvelope(value: unknown): value is Envelope {
	return (
		typeof value === 'object' &&
		value !== null &&
		'status' in value &&
		'data' in value &&
		'timestamp' in value &&
		typeof value.timestamp === 'number'
	);
}

function isKnown(code: string | null): code is CallCode {
	return code !== null && Object.hasOwn(failureTexts, code);
}

function secondsIn(header: string | null): number | undefined {
	return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
