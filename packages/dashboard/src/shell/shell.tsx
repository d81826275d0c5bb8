import '@mantine/core/styles/Container.css';
import type { PresentPerson } from '@bursar/contract/dashboard';
import {
	AppShell,
	Burger,
	Button,
	Container,
	Group,
	type MantineColorScheme,
	NavLink,
	SegmentedControl,
	Stack,
	Text,
	useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useChange } from '../calls/use-change.ts';
import { Failure } from '../page/failure.tsx';
import { ProductName } from './mark.tsx';
import { OfflineNote } from './narrow.tsx';
import { PageIcon } from './page-icon.tsx';
import classes from './shell.module.css';
import { SuspendedNote } from './suspended-note.tsx';
import { pageNames, shellTexts } from './texts.ts';

/** In pixels. Longer lines are hard to read. */
const WIDTH = 1180;

interface Props {
	readonly person: PresentPerson;
	readonly children: ReactNode;
}

/** What stands around every page of a person who is signed in. */
export function Shell({ person, children }: Props) {
	const [isOpen, { toggle, close }] = useDisclosure(false);
	const signOut = useSignOut();
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
				<Group h="100%" px="md" gap="sm">
					<Burger
						opened={isOpen}
						onClick={toggle}
						hiddenFrom="sm"
						size="sm"
						aria-expanded={isOpen}
						aria-label={isOpen ? shellTexts.closeNavigation : shellTexts.openNavigation}
					/>
					<ProductName />
				</Group>
			</AppShell.Header>
			<AppShell.Navbar p="md" aria-label={shellTexts.navigation}>
				<AppShell.Section grow>
					<Navigation person={person} onNavigate={close} />
				</AppShell.Section>
				<AppShell.Section>
					<Stack gap="md">
						<ColorScheme />
						<div>
							<Text fw={600} size="sm" className={classes.name}>
								{person.reseller ?? shellTexts.operator}
							</Text>
							<Text c="dimmed" size="sm" className={classes.name}>
								{person.email}
							</Text>
						</div>
						<Failure error={signOut.failure} />
						<Button variant="default" loading={signOut.isBusy} onClick={signOut.run}>
							{shellTexts.signOut}
						</Button>
					</Stack>
				</AppShell.Section>
			</AppShell.Navbar>
			<AppShell.Main id="content" tabIndex={-1} className={classes.main}>
				<Container size={WIDTH} p={0}>
					<Stack gap="lg">
						<OfflineNote />
						{person.reseller !== null && <SuspendedNote />}
						{children}
					</Stack>
				</Container>
			</AppShell.Main>
		</AppShell>
	);
}

const RESELLER_PAGES = [
	{ path: '/', label: pageNames.overview },
	{ path: '/sub-users', label: pageNames.subUsers },
	{ path: '/connect', label: pageNames.connect },
	{ path: '/statement', label: pageNames.statement },
	{ path: '/token', label: pageNames.token },
	{ path: '/account', label: pageNames.account },
];
const OPERATOR_PAGES = [
	{ path: '/resellers', label: pageNames.resellers },
	{ path: '/income', label: pageNames.income },
	{ path: '/usage', label: pageNames.usage },
	{ path: '/edges', label: pageNames.edges },
	{ path: '/ledger', label: pageNames.ledger },
	{ path: '/acts', label: pageNames.acts },
	{ path: '/account', label: pageNames.account },
];

interface NavigationProps {
	readonly person: PresentPerson;
	readonly onNavigate: () => void;
}

/** The pages that a person may open. */
function Navigation({ person, onNavigate }: NavigationProps) {
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
				leftSection={<PageIcon path={path} />}
				active={isActive}
				aria-current={location === path ? 'page' : isActive ? 'true' : undefined}
				onClick={onNavigate}
			/>
		);
	});
}

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Chooses light or dark colours. The browser remembers it. */
function ColorScheme() {
	const { colorScheme, setColorScheme } = useMantineColorScheme();
	return (
		<SegmentedControl
			size="xs"
			aria-label={shellTexts.colors}
			data={SCHEMES.map((value) => ({ value, label: shellTexts[value] }))}
			value={colorScheme}
			onChange={(value) => setColorScheme(value as MantineColorScheme)}
		/>
	);
}

/** Ends this session. The page is loaded again, so that nothing of the person stays in memory. */
function useSignOut() {
	const { run, isBusy, failure } = useChange('/sign-out');
	return {
		isBusy,
		failure,
		async run() {
			if (await run({})) window.location.assign(`${import.meta.env.BASE_URL}sign-in`);
		},
	};
}
