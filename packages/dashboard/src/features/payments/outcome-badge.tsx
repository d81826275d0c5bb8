import type { TopUp } from '@bursar/contract/payment-schemas';
import { StateBadge, type Tone } from '../../page/state-badge.tsx';
import { outcomeOf, type PaymentOutcome } from './outcome.ts';
import { paymentOutcomeTexts } from './texts.ts';

/** How a payment stands. */
export function OutcomeBadge({ payment }: { readonly payment: TopUp }) {
	const outcome = outcomeOf(payment);
	return <StateBadge tone={TONES[outcome]}>{paymentOutcomeTexts[outcome]}</StateBadge>;
}

const TONES: Readonly<Record<PaymentOutcome, Tone>> = {
	creating: 'waiting',
	open: 'waiting',
	processing: 'waiting',
	credited: 'good',
	credited_in_part: 'good',
	taken_back: 'bad',
	not_credited: 'bad',
	not_paid: 'off',
	not_made: 'off',
};
