import type { PresentPerson } from '@bursar/contract/dashboard';
import { pageNames } from './texts.ts';

/** A page of the navigation. */
export interface ShellPage {
	readonly path: string;
	readonly label: string;
}

const RESELLER_PAGES: readonly ShellPage[] = [
	{ path: '/', label: pageNames.overview },
	{ path: '/sub-users', label: pageNames.subUsers },
	{ path: '/connect', label: pageNames.connect },
	{ path: '/statement', label: pageNames.statement },
	{ path: '/team', label: pageNames.team },
	{ path: '/activity', label: pageNames.acts },
	{ path: '/token', label: pageNames.token },
	{ path: '/webhooks', label: pageNames.webhooks },
	{ path: '/account', label: pageNames.account },
];
const OPERATOR_PAGES: readonly ShellPage[] = [
	{ path: '/', label: pageNames.home },
	{ path: '/resellers', label: pageNames.resellers },
	{ path: '/people', label: pageNames.people },
	{ path: '/income', label: pageNames.income },
	{ path: '/bandwidth', label: pageNames.bandwidth },
	{ path: '/usage', label: pageNames.usage },
	{ path: '/edges', label: pageNames.edges },
	{ path: '/ledger', label: pageNames.ledger },
	{ path: '/mail', label: pageNames.mail },
	{ path: '/webhooks', label: pageNames.webhooks },
	{ path: '/api-tokens', label: pageNames.apiTokens },
	{ path: '/brand', label: pageNames.brand },
	{ path: '/activity', label: pageNames.acts },
	{ path: '/account', label: pageNames.account },
];

/** The pages of the navigation for a person, in its order. */
export function pagesFor({ reseller }: Pick<PresentPerson, 'reseller'>): readonly ShellPage[] {
	return reseller === null ? OPERATOR_PAGES : RESELLER_PAGES;
}
