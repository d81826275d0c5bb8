import { numberText } from '../../format/number.ts';
import { inLanguage } from '../../preferences/in-language.ts';

export const homeTexts = inLanguage('homeTexts', {
	lead: 'The service at a glance. Amounts and bandwidth are at most five minutes old.',

	service: 'Service',
	edges: 'Edges',
	toEdges: 'See all edges',
	noEdges: 'No edge has joined yet.',
	allHeard: (edges: number) =>
		edges === 1
			? 'The only edge was heard from in the last ten minutes.'
			: `All ${numberText(edges)} were heard from in the last ten minutes.`,
	silent: (silent: number, edges: number) =>
		`${numberText(silent)} of ${numberText(edges)} ${silent === 1 ? 'is' : 'are'} silent.`,
	moreSilent: (edges: number) => `and ${numberText(edges)} more`,

	reports: 'Refused reports',
	toReports: 'See why',
	noneRefused: 'None in the last 30 days.',
	refused: (today: number, usual: string) => `${numberText(today)} today, usually ${usual} a day.`,
	refusedGrow: (today: number, usual: string) =>
		`They grow: ${numberText(today)} today, and only ${usual} a day in the week before.`,
	refusedTrend: (total: number) => `Refused usage reports of each of the last 30 days: ${numberText(total)} together.`,

	ledger: 'Ledger',
	toLedger: 'Verify it',
	problems: (problems: number) =>
		problems === 1 ? 'The last verification found a problem.' : `The last one found ${numberText(problems)} problems.`,
	ledgerStates: {
		running: 'A verification runs.',
		never: 'It was never verified.',
		unfinished: 'The last verification could not be finished.',
		old: 'It was not verified for two days.',
		right: 'The last verification found no problems.',
	},
	verified: 'Verified',

	backup: 'Backup',
	backupStates: {
		elsewhere: 'The tools of PostgreSQL make them. Bursar does not see them.',
		never: 'There was none yet.',
		old: 'The last one is more than a day old.',
		right: 'The last one is less than a day old.',
	},
	made: 'Made',
	backupBy: 'Made on the machine of the service by',

	held: 'Money held for resellers',
	heldNote: 'The balances of all accounts together.',
	toResellers: 'Resellers',
	heldTrend: (from: string, first: string, last: string) =>
		`Money held at the end of each day since ${from}: ${first} then, ${last} now.`,
	income: 'Income this month',
	toIncome: 'By reseller',
	incomeTrend: (from: string, most: string) => `Income of each day since ${from}: ${most} at most.`,
	topUps: 'Top-ups this month',
	toTopUps: 'Add one',
	topUpsTrend: (from: string, most: string) => `Top-ups of each day since ${from}: ${most} at most.`,
	sameDays: (before: string) => `${before} in the same days of last month.`,
	change: (before: string, percent: string) => `${before} in the same days of last month (${percent}).`,
	incomeParts: (bandwidth: string, fees: string) => `${bandwidth} for bandwidth, ${fees} in fees.`,
	takenBack: (amount: string) => `${amount} was taken back.`,

	network: 'Bandwidth of 30 days',
	toNetwork: 'See the bandwidth',
	networkNote: 'Of all resellers together.',
	networkChange: (before: string, percent: string) => `${before} in the 30 days before, without today (${percent}).`,
	networkTrend: (from: string, most: string) => `Bandwidth of each day since ${from}: ${most} at most.`,
	byEdge: 'Bandwidth by edge',
	noEdgeReported: 'No edge has reported any bandwidth in the last 30 days.',
	edge: 'Edge',
	trend: 'By day',
	carried: 'In 30 days',
	edgeTrend: (edge: string, from: string, most: string) =>
		`Bandwidth of ${edge} on each day since ${from}: ${most} at most.`,

	low: 'Resellers that run low',
	lowLead: 'Those whose bandwidth costs most come first. Suspended ones are left out.',
	noneLow: 'Every reseller has enough.',
	more: (count: number) => `And ${numberText(count)} more.`,
	reseller: 'Reseller',
	balance: 'Its balance',
	allBalances: 'With sub-users',
	lasts: 'Lasts for about',
	why: 'Why',
	reasons: {
		out: 'Its balance is used up',
		below: 'Below its warning',
		short: 'All of it lasts less than a week',
	},
	exhausted: 'Sub-users without a balance',
	exhaustedLead: 'Proxies refuse them, because their bandwidth is charged. Their reseller gives them more.',
	noneExhausted: 'No sub-user whose bandwidth is charged has run out.',
	exhaustedCount: 'Sub-users',
	today: 'today',
	asOf: 'As of',
});
