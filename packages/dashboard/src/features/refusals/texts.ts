import { ACCOUNT_REFUSALS } from '@bursar/contract/account-refusals';
import { texts } from '../../preferences/catalogue.ts';

/** What proxies refused of an account. */
export const refusalTexts = texts('refusalTexts', {
	title: 'Refusals',
	refused: 'Refused {at} at {edge}: {reason}',
	/** A hit of the search. */
	found: '{reseller}, refused {at} at {edge}: {reason}',
	none: 'No proxy has refused it in the last 8 days.',
	last8Days: 'In the last 8 days',
	reason: 'Reason',
	times: 'Times',
	last: 'Last',
	edge: 'Edge',
	network: 'From',
	unknown: 'Not known',
	reasons: ACCOUNT_REFUSALS,
});
