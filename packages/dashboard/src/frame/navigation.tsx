import type { PresentPerson } from '@bursar/contract/dashboard';
import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { frameTexts } from '../texts/frame.ts';

const RESELLER_PAGES = [
	{ path: '/', label: frameTexts.overview },
	{ path: '/sub-users', label: frameTexts.subUsers },
	{ path: '/statement', label: frameTexts.statement },
	{ path: '/token', label: frameTexts.token },
	{ path: '/account', label: frameTexts.account },
];
const OPERATOR_PAGES = [
	{ path: '/resellers', label: frameTexts.resellers },
	{ path: '/usage', label: frameTexts.usage },
	{ path: '/edges', label: frameTexts.edges },
	{ path: '/ledger', label: frameTexts.ledger },
	{ path: '/acts', label: frameTexts.acts },
	{ path: '/account', label: frameTexts.account },
];

interface Props {
	readonly person: PresentPerson;
	readonly onNavigate: () => void;
}

/** The pages that a person may open. */
export function Navigation({ person, onNavigate }: Props) {
	const [location] = useLocation();
	const pages = person.reseller === null ? OPERATOR_PAGES : RESELLER_PAGES;
	return pages.map(({ path, label }) => {
		/** The page of one sub-user or reseller belongs to the list of all. */
		const isActive = location === path || location.startsWith(`${path}/`);
		return (
			<NavLink
				key={path}
				component={Link}
				href={path}
				label={label}
				active={isActive}
				aria-current={location === path ? 'page' : isActive ? 'true' : undefined}
				onClick={onNavigate}
			/>
		);
	});
}
