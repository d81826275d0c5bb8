import type { CurrentToken } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';

/** How long the previous token lives after a rotation, in seconds. */
export type OverlapSeconds = 0 | 60 | 240;

/** A change of the token, from the moment its dialog opens until it closes. */
interface TokenChange {
	readonly kind: 'rotate' | 'end_all';
	/** Who asks. */
	readonly email: string;
	/** The token when the dialog opened. */
	readonly before: CurrentToken;
	readonly overlapSeconds: OverlapSeconds;
	/** The new token. It exists here and nowhere else, and only until the dialog closes. */
	readonly newToken?: string;
}

export type TokenChangeControl = ReturnType<typeof useTokenChange>;
export type OpenTokenChange = NonNullable<TokenChangeControl['change']>;

/** Rotates the token or ends all of them. `change` is there while the dialog is open. */
export function useTokenChange() {
	const rotation = useAct('/token/rotate');
	const ending = useAct('/token/end-all');
	const takeOver = useTakeOver();
	const [change, setChange] = useState<TokenChange>();
	const act = change?.kind === 'end_all' ? ending : rotation;

	function begin(kind: TokenChange['kind'], before: CurrentToken, email: string) {
		setChange({ kind, email, before, overlapSeconds: 60 });
		(kind === 'end_all' ? ending : rotation).open();
	}

	async function send() {
		if (!change) return;
		const answer =
			change.kind === 'end_all'
				? await ending.send({})
				: await rotation.send({ overlap_seconds: change.overlapSeconds });
		if (answer) setChange({ ...change, newToken: answer.token });
		await takeOver({ path: '/token', query: {}, answer: answer?.state });
	}

	return {
		change: change && { ...change, act },
		begin,
		send,
		chooseOverlap: (overlapSeconds: OverlapSeconds) => setChange(change && { ...change, overlapSeconds }),
		/** Drops the new token, too. */
		end() {
			setChange(undefined);
			act.close();
		},
	};
}
