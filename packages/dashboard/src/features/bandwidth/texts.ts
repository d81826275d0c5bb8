import type { ShownDays } from '@bursar/contract/dashboard';
import { inLanguage } from '../../preferences/in-language.ts';

export const bandwidthTexts = inLanguage('bandwidthTexts', {
	title: 'Bandwidth',
	lead: (days: number) => `The last ${days} days. Days begin and end in UTC, and today is not over yet.`,
	days: 'Days',
	lastDays: { 7: '7 days', 30: '30 days', 90: '90 days' } satisfies Record<ShownDays, string>,
	up: 'Up',
	down: 'Down',
	total: 'Total',
	day: 'Day (UTC)',
	chart: 'Bandwidth by day. The arrow keys move between days.',
	dayValue: (day: string, down: string, up: string) => `${day}: ${down} down, ${up} up`,
	noData: 'Nothing was used in these days.',
	showTable: 'Show the figures as a table',
	hideTable: 'Hide the table',
	cost: 'Cost',
	costByDay: 'Cost by day, without fractions of a cent',
	costChart: 'Cost by day. The arrow keys move between days.',
	table: 'Bandwidth by UTC day',
	csv: 'Download as CSV',

	corrections: 'Corrections',
	correctionsLead: 'The operator corrected these days. The figures have the corrections already.',
	correctedAt: 'Corrected',
	account: 'Account',
	reason: 'Reason',

	topTitle: 'Top ten sub-users',
	topLead: (days: number) => `By bandwidth of the last ${days} days.`,
	asOf: 'As of',
	noTop: 'No sub-user has used anything in these days.',
	subUser: 'Sub-user',
});
