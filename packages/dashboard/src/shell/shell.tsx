import type { PresentPerson } from '@bursar/contract/dashboard';
import { Alert, AppShell, Burger, Group, NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useTakesPayments } from '../calls/presence.ts';
import { useMay } from '../calls/use-may.ts';
import { useRead } from '../calls/use-read.ts';
import { browserZone } from '../format/days.ts';
import { ProductName } from '../mark/mark.tsx';
import { Moment } from '../page/moment.tsx';
import { OfflineNote } from './narrow.tsx';
import { PageIcon } from './page-icon.tsx';
import { groupsOf, pagesFor } from './pages.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';
import { UserMenu } from './user-menu.tsx';

interface Props {
	readonly person: PresentPerson;
	/** The button that opens the search. */
	readonly search: ReactNode;
	readonly children: ReactNode;
}

/** What stands around every page of a person who is signed in. */
export function Shell({ person, search, children }: Props) {
	const [isOpen, { toggle, close }] = useDisclosure(false);
	return (
		<AppShell
			padding={{ base: 'md', sm: 'xl' }}
			header={{ height: 56, collapsed: false }}
			navbar={{ width: 250, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
		>
			<a className={classes.skip} href="#content">
				{shellTexts.skip}
			</a>
			<AppShell.Header>
				<Group h="100%" px="md" gap="sm" wrap="nowrap">
					<Burger
						opened={isOpen}
						onClick={toggle}
						hiddenFrom="sm"
						size="sm"
						aria-expanded={isOpen}
						aria-label={isOpen ? shellTexts.closeNavigation : shellTexts.openNavigation}
					/>
					<ProductName isCompact />
					<div className={classes.tools}>
						{search}
						<UserMenu person={person} />
					</div>
				</Group>
			</AppShell.Header>
			<AppShell.Navbar
				p="md"
				aria-label={shellTexts.navigation}
				mod={{ closed: !isOpen }}
				className={classes.navigation}
			>
				<AppShell.Section grow>
					<Navigation person={person} onNavigate={close} />
				</AppShell.Section>
				<AppShell.Section className={classes.zone}>{shellTexts.timesAre(browserZone())}</AppShell.Section>
			</AppShell.Navbar>
			<AppShell.Main id="content" tabIndex={-1} className={classes.main}>
				<div className={classes.content}>
					<div className={classes.notes}>
						<OfflineNote />
						{person.reseller !== null && <SuspendedNote />}
						{person.reseller !== null && <RoleNote />}
					</div>
					{children}
				</div>
			</AppShell.Main>
		</AppShell>
	);
}

interface NavigationProps {
	readonly person: PresentPerson;
	readonly onNavigate: () => void;
}

/** The pages that a person may open. */
function Navigation({ person, onNavigate }: NavigationProps) {
	const [location] = useLocation();
	const takesPayments = useTakesPayments();
	return groupsOf(pagesFor({ ...person, takesPayments })).map(({ name, pages }) => (
		<div key={name ?? ''} {...(name && { role: 'group', 'aria-label': name })} className={classes.group}>
			{name && (
				<div className={classes.groupName} aria-hidden="true">
					{name}
				</div>
			)}
			{pages.map(({ path, label }) => {
				/** The page of one sub-user or reseller belongs to the list of all. */
				const isActive = location === path || location.startsWith(`${path}/`);
				return (
					<NavLink
						key={path}
						component={Link}
						href={path}
						label={label}
						leftSection={<PageIcon path={path} />}
						active={isActive}
						aria-current={location === path ? 'page' : isActive ? 'true' : undefined}
						onClick={onNavigate}
					/>
				);
			})}
		</div>
	));
}

const SUSPENSION_EVERY_MS = 60_000;

/** Says to people of a reseller that the operator has suspended it, while it is so. */
function SuspendedNote() {
	const since = useRead('/suspension', {}, { everyMs: SUSPENSION_EVERY_MS }).data?.since ?? null;
	return (
		<div role="status">
			{since !== null && (
				<Alert color="red" title={shellTexts.suspendedTitle}>
					{shellTexts.suspendedSince} <Moment at={since} />, {shellTexts.suspended}
				</Alert>
			)}
		</div>
	);
}

/** Says to people of a reseller who only read that they change nothing, while it is so. */
function RoleNote() {
	const mayChange = useMay('/sub-users/give');
	return <div role="status">{!mayChange && <Alert color="blue">{shellTexts.onlyReads}</Alert>}</div>;
}
