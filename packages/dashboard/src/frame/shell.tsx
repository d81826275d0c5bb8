import { AppShell, Burger, Button, Container, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import '@mantine/core/styles/Container.css';
import type { PresentPerson } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { useSignOut } from '../api/use-sign-out.ts';
import { frameTexts } from '../texts/frame.ts';
import { ColorScheme } from './color-scheme.tsx';
import { Failure } from './failure.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineNote } from './offline-note.tsx';
import classes from './shell.module.css';

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
				{frameTexts.skip}
			</a>
			<AppShell.Header>
				<Group h="100%" px="md" gap="sm">
					<Burger
						opened={isOpen}
						onClick={toggle}
						hiddenFrom="sm"
						size="sm"
						aria-expanded={isOpen}
						aria-label={isOpen ? frameTexts.closeNavigation : frameTexts.openNavigation}
					/>
					<Text fw={700} size="lg">
						{frameTexts.product}
					</Text>
				</Group>
			</AppShell.Header>
			<AppShell.Navbar p="md" aria-label={frameTexts.navigation}>
				<AppShell.Section grow>
					<Navigation person={person} onNavigate={close} />
				</AppShell.Section>
				<AppShell.Section>
					<Stack gap="md">
						<ColorScheme />
						<div>
							<Text fw={600} size="sm" className={classes.name}>
								{person.reseller ?? frameTexts.operator}
							</Text>
							<Text c="dimmed" size="sm" className={classes.name}>
								{person.email}
							</Text>
						</div>
						<Failure error={signOut.failure} />
						<Button variant="default" loading={signOut.isBusy} onClick={signOut.run}>
							{frameTexts.signOut}
						</Button>
					</Stack>
				</AppShell.Section>
			</AppShell.Navbar>
			<AppShell.Main id="content" tabIndex={-1} className={classes.main}>
				<Container size="md" p={0}>
					<Stack gap="lg">
						<OfflineNote />
						{children}
					</Stack>
				</Container>
			</AppShell.Main>
		</AppShell>
	);
}
