import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { useSendOnce } from '../calls/use-change.ts';
import { afterSending, newActId, type OpenAct } from './act.ts';

/** The changes that are recorded as acts. */
export type ActPath = {
	[Path in keyof DashboardChanges]: DashboardChanges[Path]['body'] extends { readonly act: string } ? Path : never;
}[keyof DashboardChanges];

export type ActBody<Path extends ActPath> = Omit<DashboardChanges[Path]['body'], 'act'>;

export interface ActOptions {
	/** Whether its dialog is open as soon as it is drawn. */
	readonly startsOpen?: boolean;
}

/**
 * A change that a dialog asks for, from the moment the dialog opens until it closes. `send` answers `undefined` if it
 * was not done, or if that is not known. Sending the same body again is safe, and tells what became of a lost one:
 * either it is done now, or the service says that it was done before.
 */
export function useAct<Path extends ActPath>(path: Path, { startsOpen = false }: ActOptions = {}) {
	const sendOnce = useSendOnce();
	const [act, setAct] = useState<OpenAct | undefined>(() => (startsOpen ? newAct() : undefined));

	async function send(body: ActBody<Path>): Promise<DashboardChanges[Path]['answer'] | undefined> {
		if (!act || act.isBusy || act.isDone || act.state === 'repeated') return undefined;
		setAct({ ...act, isBusy: true, failure: undefined });
		const sent = await sendOnce(path, { act: act.id, ...body } as DashboardChanges[Path]['body']);
		if (!sent) return undefined;
		setAct(afterSending(act, sent, Date.now()));
		return sent.answer;
	}

	return {
		isOpen: act !== undefined,
		isBusy: act?.isBusy ?? false,
		state: act?.state ?? 'open',
		failure: act?.failure,
		lostAtMs: act?.lostAtMs,
		open: () => setAct(newAct()),
		/** Closes nothing while an answer is awaited. */
		close: () => setAct((now) => (now?.isBusy ? now : undefined)),
		send,
	};
}

function newAct(): OpenAct {
	return { id: newActId(), state: 'open', isBusy: false };
}

/** What a dialog needs to know of its act. */
export type ActControl = Omit<ReturnType<typeof useAct>, 'open' | 'send'>;
