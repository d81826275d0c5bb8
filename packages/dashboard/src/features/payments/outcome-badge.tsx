import type { TopUp } from '@bursar/contract/payment-schemas';
import { StateBadge } from '../../page/state-badge.tsx';
import { OUTCOME_TONES, outcomeOf } from './outcome.ts';
import { paymentOutcomeTexts } from './texts.ts';

/** How a payment stands. */
export function OutcomeBadge({ payment }: { readonly payment: TopUp }) {
	const outcome = outcomeOf(payment);
	return <StateBadge tone={OUTCOME_TONES[outcome]}>{paymentOutcomeTexts[outcome]}</StateBadge>;
}
