import type { PresentPerson } from '@bursar/contract/dashboard';
import { Button, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useChange } from '../calls/use-change.ts';
import { Failure } from '../page/failure.tsx';
import { ColorsField, LanguageField, TimeZoneField } from '../preferences/preference-fields.tsx';
import { shellTexts } from './texts.ts';
import classes from './user-menu.module.css';

/** Who is signed in, how this browser shows the pages, and the way out. The browser itself opens and closes it. */
export function UserMenu({ person: { email, reseller } }: { readonly person: PresentPerson }) {
	const menuId = useId();
	const signOut = useSignOut();
	return (
		<>
			<button type="button" className={classes.button} popoverTarget={menuId} aria-label={shellTexts.userMenu(email)}>
				<span aria-hidden="true">{email.slice(0, 1).toUpperCase()}</span>
			</button>
			<section id={menuId} popover="auto" aria-label={shellTexts.userMenu(email)} className={classes.menu}>
				<Stack gap="md">
					<div>
						<Text fw={600} size="sm" className={classes.name}>
							{email}
						</Text>
						<Text c="dimmed" size="sm" className={classes.name}>
							{reseller ?? shellTexts.operator}
						</Text>
					</div>
					<LanguageField />
					<TimeZoneField />
					<ColorsField />
					<Failure error={signOut.failure} />
					<Button variant="default" loading={signOut.isBusy} onClick={signOut.run}>
						{shellTexts.signOut}
					</Button>
				</Stack>
			</section>
		</>
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
