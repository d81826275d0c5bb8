import { useState } from 'react';
import { usePresence } from '../../calls/presence.ts';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CallSection } from './call-section.tsx';
import { CurrentTokenSection } from './current-token-section.tsx';
import { FurtherSection } from './further-section.tsx';
import { tokenTexts } from './texts.ts';
import { EndAllSection } from './token-dialog.tsx';

/** The *Reseller API* page. */
export function TokenPage() {
	/** Shows what others change. */
	const token = useRead('/token', {}, { staleMs: 0, everyMs: (state) => (state?.previous ? 2_000 : 5_000) });
	const presentEmail = usePresence().data?.person?.email;
	/** Stays while the person is signed out, because the page stays too. */
	const [email] = useState(presentEmail ?? '');
	return (
		<Page title={pageNames.token} lead={token.data && tokenTexts.intro(token.data.reseller)}>
			<Answered query={token}>
				{(state) => (
					<>
						<CurrentTokenSection state={state} email={email} />
						<FurtherSection email={email} />
						<CallSection apiUrl={state.api_url} />
						<EndAllSection email={email} />
					</>
				)}
			</Answered>
		</Page>
	);
}
