import type { PresentPerson } from '@bursar/contract/dashboard';
import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { frameTexts } from '../texts/frame.ts';

const PAGES = [
	{ path: '/token', label: frameTexts.token, isForResellers: true },
	{ path: '/account', label: frameTexts.account, isForResellers: false },
];

interface Props {
	readonly person: PresentPerson;
	readonly onNavigate: () => void;
}

/** The pages that a person may open. */
export function Navigation({ person, onNavigate }: Props) {
	const [location] = useLocation();
	return PAGES.filter(({ isForResellers }) => !isForResellers || person.reseller !== null).map(({ path, label }) => (
		<NavLink
			key={path}
			component={Link}
			href={path}
			label={label}
			active={location === path}
			aria-current={location === path ? 'page' : undefined}
			onClick={onNavigate}
		/>
	));
}
