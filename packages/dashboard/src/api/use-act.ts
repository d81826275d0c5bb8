import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { newActId } from './act-id.ts';
import type { CallCode, CallError } from './call.ts';
import { useSendOnce } from './use-send-once.ts';

/** The changes that are recorded as acts. */
export type ActPath = {
	[Path in keyof DashboardChanges]: DashboardChanges[Path]['body'] extends { readonly act: string } ? Path : never;
}[keyof DashboardChanges];

export type ActBody<Path extends ActPath> = Omit<DashboardChanges[Path]['body'], 'act'>;

/** How an act stands: it can be sent, its answer was lost, or the service says that it was done before. */
export type ActState = 'open' | 'lost' | 'repeated';

interface OpenAct {
	/** The same for each try, so that it cannot be done twice. */
	readonly id: string;
	readonly state: ActState;
	readonly isBusy: boolean;
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

/**
 * A change that a dialog asks for, from the moment the dialog opens until it closes. `send` answers `undefined` if it
 * was not done, or if that is not known. Sending the same body again is safe, and tells what became of a lost one:
 * either it is done now, or the service says that it was done before.
 */
export function useAct<Path extends ActPath>(path: Path) {
	const sendOnce = useSendOnce();
	const [act, setAct] = useState<OpenAct>();

	async function send(body: ActBody<Path>): Promise<DashboardChanges[Path]['answer'] | undefined> {
		if (!act || act.isBusy || act.state === 'repeated') return undefined;
		setAct({ ...act, isBusy: true, failure: undefined });
		const sent = await sendOnce(path, { act: act.id, ...body } as DashboardChanges[Path]['body']);
		if (!sent) return undefined;
		setAct(afterAnswer(act, sent.failure));
		return sent.answer;
	}

	return {
		isOpen: act !== undefined,
		isBusy: act?.isBusy ?? false,
		state: act?.state ?? 'open',
		failure: act?.failure,
		open: () => setAct({ id: newActId(), state: 'open', isBusy: false }),
		/** Closes nothing while an answer is awaited. */
		close: () => setAct((now) => (now?.isBusy ? now : undefined)),
		send,
	};
}

/** What a dialog needs to know of its act. */
export type ActControl = Omit<ReturnType<typeof useAct>, 'open' | 'send'>;

function afterAnswer(act: OpenAct, failure: CallError | undefined): OpenAct {
	const next = { ...act, isBusy: false, failure: undefined };
	if (!failure) return next;
	if (failure.code === 'act_repeated') return { ...next, state: 'repeated' };
	if (LOST.includes(failure.code)) return { ...next, state: 'lost' };
	// Of a lost act, a refusal for now says nothing.
	if (FOR_NOW.includes(failure.code)) return { ...next, failure };
	// A refusal that cost something was recorded with its id. After any other one the id stays, so that of all tries of
	// this dialog only one can be done, even if a lost one is late.
	return { id: RECORDED.includes(failure.code) ? newActId() : act.id, state: 'open', isBusy: false, failure };
}
