import type { CurrentToken, NewToken } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newActId } from '../../../api/act-id.ts';
import type { CallCode, CallError } from '../../../api/call.ts';
import { type Sent, useSendOnce } from '../../../api/use-send-once.ts';
import { tokenQuery } from './use-token-state.ts';

/** How long the previous token lives after a rotation, in seconds. */
export type OverlapSeconds = 0 | 60 | 240;

/** A change of the token, from the moment its dialog opens until it closes. */
export interface TokenChange {
	readonly kind: 'rotate' | 'end_all';
	/** The same for each try, so that the change cannot happen twice. */
	readonly act: string;
	/** Who asks. */
	readonly email: string;
	/** The token when the dialog opened. */
	readonly before: CurrentToken;
	readonly overlapSeconds: OverlapSeconds;
	readonly isBusy: boolean;
	readonly failure?: CallError | undefined;
	/** Set once an answer was lost. */
	readonly lost?: LostAnswer | undefined;
	/** The new token. It exists here and nowhere else, and only until the dialog closes. */
	readonly newToken?: string | undefined;
}

export interface LostAnswer {
	/** By the clock of this computer, in Unix milliseconds. */
	readonly atMs: number;
	/** Whether the server has said since that it had done the change before. */
	readonly isRepeated: boolean;
}

export type TokenChangeControl = ReturnType<typeof useTokenChange>;

const LOST: readonly CallCode[] = ['lost', 'outcome_unknown', 'act_repeated'];

/** Rotates the token or ends all of them. `change` is there while the dialog is open. */
export function useTokenChange() {
	const client = useQueryClient();
	const sendOnce = useSendOnce();
	const [change, setChange] = useState<TokenChange>();

	function begin(kind: TokenChange['kind'], before: CurrentToken, email: string) {
		setChange({ kind, act: newActId(), email, before, overlapSeconds: 60, isBusy: false });
	}

	async function send() {
		if (!change) return;
		setChange({ ...change, isBusy: true, failure: undefined });
		const sent = await request(change);
		if (!sent) return;
		const { answer, failure } = sent;
		// A read that is under way may still bring the previous state.
		if (!failure) await client.cancelQueries(tokenQuery);
		if (answer) client.setQueryData(tokenQuery.queryKey, answer.state);
		setChange(
			failure
				? afterFailure(change, failure)
				: { ...change, isBusy: false, failure: undefined, newToken: answer?.token },
		);
		if (failure) void client.invalidateQueries(tokenQuery);
	}

	function request({ kind, act, overlapSeconds }: TokenChange): Promise<Sent<NewToken> | undefined> {
		if (kind === 'end_all') return sendOnce('/token/end-all', { act });
		return sendOnce('/token/rotate', { act, overlap_seconds: overlapSeconds });
	}

	return {
		change,
		begin,
		send,
		chooseOverlap: (overlapSeconds: OverlapSeconds) => setChange(change && { ...change, overlapSeconds }),
		/** Drops the new token, too. */
		end: () => setChange(undefined),
	};
}

function afterFailure(change: TokenChange, failure: CallError): TokenChange {
	if (!LOST.includes(failure.code)) return { ...change, isBusy: false, failure };
	const isRepeated = failure.code === 'act_repeated' || change.lost?.isRepeated === true;
	return { ...change, isBusy: false, failure: undefined, lost: { atMs: Date.now(), isRepeated } };
}
