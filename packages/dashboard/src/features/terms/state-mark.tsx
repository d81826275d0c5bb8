import type { PairState } from '@bursar/contract/dashboard';
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
