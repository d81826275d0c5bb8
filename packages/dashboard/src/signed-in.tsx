import type { PresentPerson } from '@bursar/contract/dashboard';
import { Box } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { LazyDialog } from './acts/dialog.tsx';
import { refreshPresence, usePresence } from './calls/presence.ts';
import { LazyProofForm } from './features/proof/proof-provider.tsx';
import { SearchButton } from './features/search/search-button.tsx';
import { Answered } from './page/answered.tsx';
import { lazyPage, usePreload } from './page/lazy-page.ts';
import { PageLoading } from './page/loading.tsx';
import { Narrow } from './shell/narrow.tsx';
import { Shell } from './shell/shell.tsx';

const SignedOutNote = lazyPage(async () => (await import('./features/sign-in/signed-out-note.tsx')).SignedOutNote);
const FactorChoice = lazyPage(async () => (await import('./features/factors/factor-choice.tsx')).FactorChoice);

/** Loaded soon after the first page was shown, so that a dialog waits for no code. */
const DIALOG_CODE = [LazyDialog, LazyProofForm];

interface Props {
	/** Shown without a session. */
	readonly signIn: ReactNode;
	readonly children: (person: PresentPerson) => ReactNode;
}

/**
 * Pages for a person who is signed in. If the session ends while a page is shown, the page stays with what was typed,
 * and a note offers to sign in again. If another person signs in, the page starts anew.
 */
export function SignedIn({ signIn, children }: Props) {
	const client = useQueryClient();
	const presence = usePresence();
	usePreload(DIALOG_CODE);
	const person = presence.data?.person;
	const [shown, setShown] = useState<PresentPerson>();
	/** Whether the set-up of a second factor is shown. It stays until its recovery codes were stored. */
	const [isSetUpShown, setSetUpShown] = useState(false);
	if (person && person !== shown) setShown(person);
	if (person?.second_factor_required && !isSetUpShown) setSetUpShown(true);

	const visible = person ?? shown;
	if (!visible) {
		return (
			<Narrow>
				<Answered query={presence}>{() => signIn}</Answered>
			</Narrow>
		);
	}
	async function finishSetUp() {
		await refreshPresence(client);
		setSetUpShown(false);
	}
	return (
		<Shell key={visible.email} person={visible} search={<SearchButton person={visible} />}>
			{!person && (
				<Suspense>
					<SignedOutNote email={visible.email} />
				</Suspense>
			)}
			<Suspense fallback={<PageLoading />}>
				{isSetUpShown ? (
					<Box maw={480}>
						<FactorChoice onDone={finishSetUp} />
					</Box>
				) : (
					children(visible)
				)}
			</Suspense>
		</Shell>
	);
}
