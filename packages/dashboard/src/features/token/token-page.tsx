import { Button } from '@mantine/core';
import { useState } from 'react';
import { usePresence } from '../../calls/presence.ts';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CallSection } from './call-section.tsx';
import { CurrentTokenSection } from './current-token-section.tsx';
import { tokenTexts } from './texts.ts';
import { TokenDialog } from './token-dialog.tsx';
import { useTokenChange } from './use-token-change.ts';

/** The *Reseller API* page. */
export function TokenPage() {
	const control = useTokenChange();
	/** Shows what others change, and soon what became of a change. */
	const isHurried = control.change !== undefined && control.change.act.state !== 'open';
	const token = useRead(
		'/token',
		{},
		{
			staleMs: 0,
			everyMs: (state) => (isHurried || state?.previous ? 2_000 : 5_000),
		},
	);
	const presentEmail = usePresence().data?.person?.email;
	/** Stays while the person is signed out, because the page stays too. */
	const [email] = useState(presentEmail ?? '');
	return (
		<Page title={pageNames.token} lead={token.data && tokenTexts.intro(token.data.reseller)}>
			<Answered query={token}>
				{(state) => (
					<>
						<CurrentTokenSection
							state={state}
							email={email}
							onRotate={() => control.begin('rotate', state.current, email)}
						/>
						<CallSection apiUrl={state.api_url} />
						<IfMay path="/token/end-all">
							<EndAllSection onEndAll={() => control.begin('end_all', state.current, email)} />
						</IfMay>
						<TokenDialog control={control} state={state} readAtMs={token.dataUpdatedAt} />
					</>
				)}
			</Answered>
		</Page>
	);
}

/** The way out if a token is lost or leaked. */
function EndAllSection({ onEndAll }: { readonly onEndAll: () => void }) {
	return (
		<Section title={tokenTexts.endAllTitle} lead={tokenTexts.endAllIntro} isDangerous>
			<Button color="red" variant="outline" onClick={onEndAll} w="fit-content">
				{tokenTexts.endAll}
			</Button>
		</Section>
	);
}
