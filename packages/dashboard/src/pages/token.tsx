import { useState } from 'react';
import { usePresence } from '../api/presence.ts';
import { useTokenChange } from '../features/token/api/use-token-change.ts';
import { useTokenState } from '../features/token/api/use-token-state.ts';
import { CallSection } from '../features/token/components/call-section.tsx';
import { CurrentTokenSection } from '../features/token/components/current-token-section.tsx';
import { EndAllSection } from '../features/token/components/end-all-section.tsx';
import { TokenDialog } from '../features/token/components/token-dialog.tsx';
import { Answered } from '../frame/answered.tsx';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';
import { tokenTexts } from '../texts/token.ts';

/** The *Reseller API* page. */
export function Token() {
	const control = useTokenChange();
	const token = useTokenState({ isHurried: control.change?.lost !== undefined });
	const presentEmail = usePresence().data?.person?.email;
	/** Stays while the person is signed out, because the page stays too. */
	const [email] = useState(presentEmail ?? '');
	return (
		<Page title={frameTexts.token} lead={token.data && tokenTexts.intro(token.data.reseller)}>
			<Answered query={token}>
				{(state) => (
					<>
						<CurrentTokenSection
							state={state}
							email={email}
							onRotate={() => control.begin('rotate', state.current, email)}
						/>
						<CallSection apiUrl={state.api_url} />
						<EndAllSection onEndAll={() => control.begin('end_all', state.current, email)} />
						<TokenDialog control={control} state={state} readAtMs={token.dataUpdatedAt} />
					</>
				)}
			</Answered>
		</Page>
	);
}
