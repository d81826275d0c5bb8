import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { type CallError, callErrorOf } from '../calls/call.ts';
import { useSendOnce } from '../calls/use-change.ts';
import { afterSending, newActId, type OpenAct } from './act.ts';

/** The changes that are recorded as acts. */
export type ActPath = {
	[Path in keyof DashboardChanges]: DashboardChanges[Path]['body'] extends { readonly act: string } ? Path : never;
}[keyof DashboardChanges];

export type ActBody<Path extends ActPath> = Omit<DashboardChanges[Path]['body'], 'act'>;
export type ActAnswer<Path extends ActPath> = DashboardChanges[Path]['answer'];

export interface ActOptions<Path extends ActPath> {
	readonly path: Path;
	/** Called after each try. Without an answer it was not done, or that is not known. */
	readonly done: (answer: ActAnswer<Path> | undefined, sent: ActBody<Path>, failure: CallError | undefined) => unknown;
	/** Answers before it is sent whether that makes sense. After a lost answer it is sent without this question. */
	readonly look?: ((body: ActBody<Path>) => Promise<boolean>) | undefined;
	/** Whether its dialog is open as soon as it is drawn. */
	readonly startsOpen?: boolean;
	/** Whether its dialog stays open to show the answer. */
	readonly showsAnswer?: boolean;
}

/** An act as its dialog and its form know it. */
export interface Act<Path extends ActPath> extends Pick<OpenAct, 'isBusy' | 'state' | 'failure'> {
	readonly isOpen: boolean;
	readonly sent: ActBody<Path> | undefined;
	readonly answer: ActAnswer<Path> | undefined;
	/** Begins a new act. */
	readonly open: () => void;
	/** Closes the dialog, and drops what was sent and answered. Closes nothing while an answer is awaited. */
	readonly close: () => void;
	/** Sends the body. After a lost answer it sends what was sent last. `undefined` is sent only then. */
	readonly send: (body: ActBody<Path> | undefined) => Promise<void>;
}

/**
 * A change that a dialog asks for, from the moment the dialog opens until it closes. Sending the same again is safe, and
 * tells what became of a lost one: either it is done now, or the service says that it was done before.
 */
export function useAct<Path extends ActPath>({
	path,
	done,
	look,
	startsOpen = false,
	showsAnswer = false,
}: ActOptions<Path>): Act<Path> {
	const sendOnce = useSendOnce();
	const [act, setAct] = useState<OpenAct<ActBody<Path>, ActAnswer<Path>> | undefined>(() =>
		startsOpen ? newAct() : undefined,
	);

	async function send(body: ActBody<Path> | undefined): Promise<void> {
		const sent = act?.state === 'lost' ? act.sent : body;
		if (!act || !sent || act.isBusy || act.answer !== undefined || act.state === 'repeated') return;
		const sending = { ...act, sent, isBusy: true, failure: undefined };
		setAct(sending);
		if (look && act.state === 'open') {
			const looked = await look(sent).catch(callErrorOf);
			if (looked !== true) return setAct({ ...act, failure: looked || undefined });
		}
		const outcome = await sendOnce(path, { act: act.id, ...sent } as DashboardChanges[Path]['body']);
		if (!outcome) return;
		setAct(outcome.answer === undefined || showsAnswer ? afterSending(sending, outcome) : undefined);
		await done(outcome.answer, sent, outcome.failure);
	}

	return {
		isOpen: act !== undefined,
		isBusy: act?.isBusy ?? false,
		state: act?.state ?? 'open',
		failure: act?.failure,
		sent: act?.sent,
		answer: act?.answer,
		open: () => setAct(newAct()),
		close: () => setAct((now) => (now?.isBusy ? now : undefined)),
		send,
	};
}

function newAct(): OpenAct<never, never> {
	return { id: newActId(), state: 'open', isBusy: false };
}
