import { newActId } from './act-id.ts';
import type { CallCode, CallError } from './call.ts';
import type { Sent } from './use-send-once.ts';

/** How an act stands: it can be sent, its answer was lost, or the service says that it was done before. */
type ActState = 'open' | 'lost' | 'repeated';

/** An act whose dialog is open. */
export interface OpenAct {
	/** The same for each try, so that it cannot be done twice. */
	readonly id: string;
	readonly state: ActState;
	readonly isBusy: boolean;
	/** Whether its answer has come. Then nothing more is sent until the dialog is opened anew. */
	readonly isDone?: boolean;
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
export function afterSending(act: OpenAct, { answer, failure }: Sent<unknown>): OpenAct {
	const next = { ...act, isBusy: false, failure: undefined };
	if (!failure) return { ...next, isDone: answer !== undefined };
	if (failure.code === 'act_repeated') return { ...next, state: 'repeated' };
	if (LOST.includes(failure.code)) return { ...next, state: 'lost' };
	// Of a lost act, a refusal for now says nothing.
	if (FOR_NOW.includes(failure.code)) return { ...next, failure };
	// A refusal that cost something was recorded with its id. After any other one the id stays, so that of all tries of
	// this dialog only one can be done, even if a lost one is late.
	return { id: RECORDED.includes(failure.code) ? newActId() : act.id, state: 'open', isBusy: false, failure };
}
