import type { Endpoint } from './endpoint.ts';
import { TopUp } from './payment-schemas.ts';
import { type OwnOperation, routes } from './routes.ts';
import { CreateTopUpRequest, TopUpPage, TopUpPageRequest } from './top-up-schemas.ts';

/** As examples show it, also those of the operator's API. */
export const TOP_UP_EXAMPLE: TopUp = {
	id: 'pay_4fQ9sLw2ZbT7xKc1Vn4xT8',
	provider: 'stripe',
	state: 'open',
	amount: 5000,
	...{ credited: 0, refunded: 0, disputed: 0 },
	url: 'https://pay.example.com/cs_test_b1Qm',
	expires_at: '2026-11-22T09:30:00.000Z',
	timestamp: '2026-11-21T09:30:00.000Z',
	change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw',
};
const BODY_FAILURES = ['payload_too_large', 'unsupported_media_type'] as const;

/** The endpoints of payments through a payment provider (docs/api.md 14). */
export const topUpEndpoints = {
	createTopUp: {
		...routes.createTopUp,
		tag: 'Top-ups',
		summary: 'Begin a payment',
		description:
			'Makes a payment through a payment provider. A person pays it at its `url`. It adds to the balance only once the provider vouches for the money. If the provider cannot be reached, the state is `creating` and `url` is `null`: look again with `view_page`.',
		request: CreateTopUpRequest,
		requestExample: { provider: TOP_UP_EXAMPLE.provider, amount_usd_cents: TOP_UP_EXAMPLE.amount },
		answer: 'The new payment.',
		data: TopUp,
		dataExample: TOP_UP_EXAMPLE,
		failures: [
			...(['invalid_amount', 'amount_out_of_bounds', 'provider_off', 'too_many_payments'] as const),
			...BODY_FAILURES,
			...(['suspended', 'change_repeated', 'outcome_unknown'] as const),
		],
	},
	viewTopUpPage: {
		...routes.viewTopUpPage,
		tag: 'Top-ups',
		summary: 'Read a page of payments',
		description:
			'Your payments through payment providers, the newest first: all of them, those that still wait for money, or one by its id. To follow a payment, ask for it again, or take its events.',
		request: TopUpPageRequest,
		requestExample: { id: TOP_UP_EXAMPLE.id },
		answer: 'A page of payments.',
		data: TopUpPage,
		dataExample: {
			top_ups: [{ ...TOP_UP_EXAMPLE, state: 'settled', credited: 5000, url: null }],
			next: null,
		},
		failures: BODY_FAILURES,
	},
} as const satisfies Record<Extract<OwnOperation, 'createTopUp' | 'viewTopUpPage'>, Endpoint>;
