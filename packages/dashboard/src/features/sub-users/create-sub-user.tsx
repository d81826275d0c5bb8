import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ActButton } from '../../acts/act-button.tsx';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { useReadNow } from '../../calls/use-read.ts';
import { connectPath, subUserPath } from '../../page/paths.ts';
import { useRefreshSubUsers } from '../terms/use-sub-user.ts';
import { CreateForm, type KnownNames } from './create-form.tsx';
import { RefusedUntilItHasBalance } from './new-terms-fields.tsx';
import { PairPanel } from './pair-panel.tsx';
import { subUserTexts } from './texts.ts';

/** A button with the dialog that creates a sub-user, and then shows its key and what can be done next. */
export function CreateSubUser() {
	const refresh = useRefreshSubUsers();
	const readNow = useReadNow();
	const [, navigate] = useLocation();
	/** Names that cannot be given any more. Each try of one would cost the fee. */
	const [known, setKnown] = useState<KnownNames>({});
	const learn = (username: string, as: KnownNames[string]) => setKnown((before) => ({ ...before, [username]: as }));

	/** Whether the reseller neither has nor had a sub-user of that name. Otherwise a try would cost the fee for nothing. */
	async function isNew({ username }: { readonly username: string }): Promise<boolean> {
		const { own } = await readNow('/sub-users/name', { username });
		if (own) learn(username, own === 'taken' ? 'own' : own);
		return own === null;
	}

	return (
		<ActDialog
			path="/sub-users/create"
			look={isNew}
			done={(_, { username }, failure) => {
				if (failure?.code === 'username_taken') learn(username, 'taken');
				return refresh();
			}}
			title={subUserTexts.create}
			isWide
			button={(open) => <ActButton onClick={open}>{subUserTexts.create}</ActButton>}
			answeredTitle={({ username }) => subUserTexts.createdTitle(username)}
			answered={(pair, { sent, open, close }) => (
				<PairPanel
					pair={pair}
					intro={subUserTexts.createdIntro}
					note={<RefusedUntilItHasBalance amount={sent?.amount} />}
					actions={
						<>
							<Button variant="default" onClick={open}>
								{subUserTexts.createAnother}
							</Button>
							<Button
								variant="default"
								onClick={() => {
									close();
									navigate(subUserPath(pair.username));
								}}
							>
								{subUserTexts.openPage}
							</Button>
							<Button component={Link} href={connectPath(pair.username)} variant="default" onClick={close}>
								{subUserTexts.connectProgram}
							</Button>
						</>
					}
					onClose={close}
				/>
			)}
		>
			{(act) => <CreateForm act={act} known={known} />}
		</ActDialog>
	);
}
