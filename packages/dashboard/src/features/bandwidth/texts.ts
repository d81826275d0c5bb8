import type { BandwidthDivision } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

export const bandwidthTexts = texts('bandwidthTexts', {
	title: 'Bandwidth',
	leads: {
		day: 'By UTC day. Today is not over yet.',
		hour: 'By hour, in the time zone {zone}.',
	},
	range: 'Time',
	ranges: { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days', days: 'Days…' },
	firstDay: 'From (UTC)',
	lastDay: 'To (UTC)',
	notOffered: 'A day from {first} to {last}.',
	unit: 'Bars',
	units: { day: 'By day', hour: 'By hour' },
	division: 'Divide',
	divisions: {
		none: 'Up and down',
		sub_user: 'By sub-user',
		edge: 'By edge',
		reseller: 'By reseller',
	} as const satisfies Record<BandwidthDivision | 'none', string>,
	rest: {
		sub_user: 'All others',
		edge: 'All others, and no edge',
		reseller: 'All others',
	} as const satisfies Record<BandwidthDivision, string>,
	compare: 'Compare with before',
	onlyEdge: 'Only what the edge {edge} reported',
	allEdges: 'Show everything',
	showEdge: 'Show only the edge {edge}',

	up: 'Up',
	down: 'Down',
	total: 'Total',
	before: 'Before',
	compared: {
		whole: '{now} in this time, and {before} in the same time before.',
		day: '{now} without today, and {before} in as many days before.',
		hour: '{now} without the present hour, and {before} in as many hours before.',
	},
	/** A number, and how it differs from the one before. */
	grown: '{now} ({growth})',
	nothingBefore: 'Nothing was used in the same time before.',
	hoursSince: 'Hours and edges are known from {moment} on. Days before have no hours and no edges here.',
	asOf: 'As of',

	day: 'Day (UTC)',
	hour: 'Hour',
	charts: {
		day: 'Bandwidth by day. The arrow keys move between days.',
		hour: 'Bandwidth by hour. The arrow keys move between hours.',
	},
	spanValue: '{span}: {figures}',
	figure: '{name} {value}',
	noData: 'Nothing was used in this time.',
	showTable: 'Show the figures as a table',
	hideTable: 'Hide the table',
	cost: 'Cost',
	costByDay: 'Cost by day. What is below a cent goes on to the next day.',
	costChart: 'Cost by day. The arrow keys move between days.',
	tables: { day: 'Bandwidth by UTC day', hour: 'Bandwidth by hour' },
	csv: 'Download as CSV',

	corrections: 'Corrections',
	correctionsLead: 'The operator corrected these days. The figures have the corrections already.',
	correctionsLeadOfParts:
		'The operator corrected these days. Figures of hours and of edges do not have the corrections.',
	correctedAt: 'Corrected',
	account: 'Account',
	reason: 'Reason',

	topTitle: 'Top ten sub-users',
	topLead: 'By bandwidth in the time that is chosen above. “All others” includes your own pair, so the columns add up.',
	networkTopLead:
		'Of all resellers, by bandwidth in the time that is chosen above. “All others” includes the resellers’ own pairs, so the columns add up.',
	allOthers: 'All others',
	otherSubUsers: { one: '{count} sub-user', other: '{count} sub-users' },
	share: 'Share',
	noTop: 'No sub-user has used anything in this time.',
	subUser: 'Sub-user',
	resellerName: 'Reseller',

	networkTitle: 'Network',
	networkLead: 'What all accounts of all resellers used. At most 5 minutes old.',
});
