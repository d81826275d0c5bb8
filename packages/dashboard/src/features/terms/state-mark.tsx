import type { PairState } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { Moment } from '../../page/moment.tsx';
import { StateBadge, type Tone } from '../../page/state-badge.tsx';
import { termsTexts } from './texts.ts';

/** A limit opens again by itself; who is suspended was switched off on purpose. */
const TONES: Readonly<Record<PairState, Tone>> = {
	active: 'good',
	suspended: 'off',
	limit_reached: 'waiting',
	expired: 'bad',
	exhausted: 'bad',
	no_balance: 'bad',
	reseller_suspended: 'bad',
	reseller_in_debt: 'bad',
};

/** Says in which state the pair of an account is. */
export function StateMark({ state }: { readonly state: PairState }) {
	return <StateBadge tone={TONES[state]}>{termsTexts.states[state]}</StateBadge>;
}

interface OpeningProps {
	readonly state: PairState;
	/** When it opens again by itself; `null` if it does not. */
	readonly opens: string | null;
}

/** The same, with the time at which a limit opens again by itself. */
export function OpeningState({ state, opens }: OpeningProps) {
	return (
		<>
			<StateMark state={state} />
			{opens !== null && (
				<Text size="xs" c="dimmed" component="div">
					<div>{termsTexts.opens}</div>
					<Moment at={opens} />
				</Text>
			)}
		</>
	);
}
