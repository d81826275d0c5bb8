import type { CallCode, CallError } from '../calls/call.ts';
import type { Sent } from '../calls/use-change.ts';

/** How an act stands: it can be sent, its answer was lost, or the service says that it was done before. */
type ActState = 'open' | 'lost' | 'repeated';

/** An act whose dialog is open. */
export interface OpenAct<Body = unknown, Answer = unknown> {
	/** The same for each try, so that it cannot be done twice. */
	readonly id: string;
	readonly state: ActState;
	readonly isBusy: boolean;
	/** What was sent last. If its answer was lost, the same is sent again, even if the form would not allow it any more. */
	readonly sent?: Body;
	/** What was answered. Then nothing more is sent until the dialog is opened anew. */
	readonly answer?: Answer;
	readonly failure?: CallError | undefined;
}

const LOST: readonly CallCode[] = ['lost', 'outcome_unknown'];
/** The service has refused before it looked whether the act was recorded. */
const FOR_NOW: readonly CallCode[] = [
	'signed_out',
	'unavailable',
	'internal_error',
	'request_timeout',
	'proof_required',
];
/** Refusals of a create that has cost its fee. */
const RECORDED: readonly CallCode[] = ['username_taken', 'invalid_username'];

/** How an act stands after it was sent: it is done, or refused, or lost. Without a proof, none of these. */
export function afterSending<Body, Answer>(
	act: OpenAct<Body, Answer>,
	{ answer, failure }: Sent<Answer>,
): OpenAct<Body, Answer> {
	const next = { ...act, isBusy: false, failure };
	if (!failure) return answer === undefined ? next : { ...next, answer };
	if (failure.code === 'act_repeated') return { ...next, state: 'repeated', failure: undefined };
	if (isLost(failure.code)) return { ...next, state: 'lost', failure: undefined };
	// After a lost answer, a passing refusal does not say whether the act was done, and neither does a fault of the page.
	// Then the same id is tried again.
	if (isForNow(failure.code) || failure.code === 'page_fault') return next;
	// A refusal that cost something was recorded with its id. After any other one the id stays, so that of all tries of
	// this dialog only one can be done, even if a lost one is late.
	return { ...next, id: RECORDED.includes(failure.code) ? newActId() : act.id, state: 'open' };
}

/** Whether such a failure leaves unknown what was done. */
export function isLost(code: CallCode): boolean {
	return LOST.includes(code);
}

/** Whether the same may succeed later, and nothing was done now. */
export function isForNow(code: CallCode): boolean {
	return FOR_NOW.includes(code);
}

/**
 * A new id of a change (a UUID). A component makes it when its form or dialog opens, and sends it again if the same
 * change is sent again. `crypto.randomUUID` is missing on plain http.
 */
export function newActId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	return [0, 8, 12, 16, 20].map((start, index, starts) => hex.slice(start, starts[index + 1])).join('-');
}
