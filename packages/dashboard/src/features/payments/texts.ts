import type { PaymentProviderName } from '@bursar/contract/payments';
import { typedMoney } from '../../format/money.ts';
import { texts, textsWith } from '../../preferences/catalogue.ts';
import type { PaymentOutcome } from './outcome.ts';

/** How a payment stands. */
export const paymentOutcomeTexts = texts('paymentOutcomeTexts', {
	creating: 'Being prepared',
	open: 'Can be paid',
	processing: 'Being confirmed',
	credited: 'Credited',
	credited_in_part: 'Credited in part',
	taken_back: 'Taken back',
	not_credited: 'Not credited',
	not_paid: 'Not paid',
	not_made: 'Not begun',
} as const satisfies Record<PaymentOutcome, string>);

/** What tables and pages say of payments. */
export const paymentTexts = texts('paymentTexts', {
	begun: 'Begun',
	amount: 'Amount',
	provider: 'Provider',
	state: 'State',
	until: 'Can be paid until',
	credited: 'Credited',
	refunded: 'Refunded',
	disputed: 'Disputed',
	/** What was refunded or is disputed, in one column. */
	wentBack: 'Went back',
	refundedOf: '{amount} refunded',
	disputedOf: '{amount} disputed',
	id: 'Payment',
	test: 'Test',
	tests: 'Payments through {provider} are tests here. They move no real money.',
	continue: 'Continue at {provider}',
	continueOne: 'Continue at {provider}: payment of {amount}',
});

/** The reseller's list, and how a payment begins. */
export const topUpsTexts = textsWith(
	'topUpsTexts',
	{ example: typedMoney(1230) },
	{
		lead: 'Pay through a payment provider. Your balance has the money as soon as the provider confirms it.',
		form: 'Top up your balance',
		formLead: 'Nothing is paid yet: the next page is that of the provider, and you pay there.',
		amountField: 'Amount in US dollars',
		bounds: 'From {min} to {max}.',
		problems: {
			unreadable: 'Enter dollars and cents, like {example}.',
			too_small: 'The smallest payment is {min}.',
			too_large: 'The largest payment is {max}.',
		},
		providerField: 'Pay through',
		/** By provider: with what one pays there. */
		howPaid: {
			stripe: 'By card, or another way that its page offers',
			btcpay: 'With Bitcoin',
		} as const satisfies Record<PaymentProviderName, string>,
		begin: 'Go to {provider}',
		beginAmount: 'Pay {amount} at {provider}',
		leaving: 'The page of {provider} opens now.',
		leavingHint: 'Your balance has the money once {provider} has confirmed it, also if you close this page.',
		another: 'Begin another payment',
		lost: 'No answer arrived, so it is not known whether the payment was begun. Try again: it cannot be begun twice.',
		repeated: 'The payment was begun before, and not again. It stands below, and you can continue there.',
		onlyWho: 'Owners and managers of your team can pay.',
		off: 'This service takes no payments now. Ask the operator for a top-up.',

		waiting: 'Open payments',
		waitingLead: 'They wait for money. Whoever pays one, your balance gets it.',
		waitingLabel: 'Open payments, the newest first',
		past: 'Past payments',
		pastLabel: 'Past payments, the newest first',
		none: 'There are no payments yet.',
		nonePast: 'No payment has ended yet.',
	},
);

/** The page of one payment, to which a provider sends the browser back. */
export const topUpTexts = texts('topUpTexts', {
	title: 'Payment of {amount}',
	all: 'All payments',
	/** What the page waits for. */
	waits: {
		creating:
			'{provider} has not answered yet, so this payment cannot be paid yet. You need not wait: you can begin another one.',
		open: '{provider} has not confirmed the payment yet.',
		/** By provider: what confirms it. */
		processing: {
			stripe: 'Stripe has seen the payment. The bank or the card has not confirmed it yet, which can take days.',
			btcpay: 'BTCPay Server has seen the payment. Its network is confirming it now, which can take an hour.',
		} as const satisfies Record<PaymentProviderName, string>,
	},
	looks: 'This page updates by itself.',
	looksNoMore: 'This page has waited for a long time, and does not update by itself any more.',
	lookNow: 'Look now',
	toPay: 'If you have not paid yet, continue there.',
	credited: '{amount} has arrived.',
	creditedInPart: 'Of {amount}, your balance has {credited}.',
	/** What was refunded or is disputed. */
	wentBack: '{amount} was refunded or is disputed.',
	takenBack: 'It was refunded or is disputed, so your balance does not have the money any more.',
	notCredited:
		'The provider has told of money that cannot be booked by itself. Ask the operator of this service, and name this payment.',
	/** By provider: whether money can still come. */
	notPaid: {
		stripe: 'It was not paid in time. If you want to pay, begin another payment.',
		btcpay:
			'It was not paid in time, or not in full. If you have sent money, do not send it again: your balance gets it once BTCPay Server has confirmed it.',
	} as const satisfies Record<PaymentProviderName, string>,
	notMade: '{provider} has not accepted this payment, so nothing can be paid. Begin another one, or ask the operator.',
	balance: 'Your balance is now {balance}.',
	statement: 'See your transactions',
	another: 'To the top-up page',
	facts: 'Payment',
	whatCounts: 'Only what {provider} confirms counts, never that you came back from its page.',
});
