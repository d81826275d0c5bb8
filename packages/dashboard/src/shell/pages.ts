import type { PresentPerson } from '@bursar/contract/dashboard';
import { pageGroups, pageNames } from './texts.ts';

/** A page of the navigation. */
export interface ShellPage {
	readonly path: string;
	readonly label: string;
	/** The heading below which it stands. Absent: above all headings. */
	readonly group?: string;
}

const { customers, money, network, service, programs, team } = pageGroups;

const RESELLER_PAGES: readonly ShellPage[] = [
	{ path: '/', label: pageNames.overview },
	{ path: '/sub-users', label: pageNames.subUsers },
	{ path: '/connect', label: pageNames.connect },
	{ path: '/statement', label: pageNames.statement },
	{ path: '/top-ups', label: pageNames.topUps },
	{ path: '/token', label: pageNames.token, group: programs },
	{ path: '/webhooks', label: pageNames.webhooks, group: programs },
	{ path: '/team', label: pageNames.team, group: team },
	{ path: '/activity', label: pageNames.acts, group: team },
	{ path: '/account', label: pageNames.account, group: team },
];
const OPERATOR_PAGES: readonly ShellPage[] = [
	{ path: '/', label: pageNames.home },
	{ path: '/resellers', label: pageNames.resellers, group: customers },
	{ path: '/people', label: pageNames.people, group: customers },
	{ path: '/income', label: pageNames.income, group: money },
	{ path: '/payments', label: pageNames.payments, group: money },
	{ path: '/ledger', label: pageNames.ledger, group: money },
	{ path: '/bandwidth', label: pageNames.bandwidth, group: network },
	{ path: '/edges', label: pageNames.edges, group: network },
	{ path: '/usage', label: pageNames.usage, group: network },
	{ path: '/mail', label: pageNames.mail, group: service },
	{ path: '/webhooks', label: pageNames.webhooks, group: service },
	{ path: '/api-tokens', label: pageNames.apiTokens, group: service },
	{ path: '/brand', label: pageNames.brand, group: service },
	{ path: '/activity', label: pageNames.acts, group: service },
	{ path: '/account', label: pageNames.account, group: service },
];

/** For whom the pages are. */
export interface PagesFor extends Pick<PresentPerson, 'reseller'> {
	/** Whether resellers can pay through a payment provider. */
	readonly takesPayments: boolean;
}

/** The pages of the navigation for a person, in its order. */
export function pagesFor({ reseller, takesPayments }: PagesFor): readonly ShellPage[] {
	if (reseller === null) return OPERATOR_PAGES;
	return takesPayments ? RESELLER_PAGES : RESELLER_PAGES.filter(({ path }) => path !== '/top-ups');
}

interface PageGroup {
	readonly name: string | undefined;
	readonly pages: readonly ShellPage[];
}

/** The pages below their headings, in the order of the navigation. */
export function groupsOf(pages: readonly ShellPage[]): readonly PageGroup[] {
	const names = [...new Set(pages.map(({ group }) => group))];
	return names.map((name) => ({ name, pages: pages.filter(({ group }) => group === name) }));
}
