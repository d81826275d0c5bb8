import { normalizeUsername } from '@bursar/contract/username';
import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { CallError } from '../../calls/call.ts';
import { serverNowMs } from '../../calls/server-clock.ts';
import { useRead, useReadNow } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { momentText } from '../../format/time.ts';
import { UsernameField } from '../../forms/username-field.tsx';
import { Failure } from '../../page/failure.tsx';
import { useRefreshSubUsers } from '../terms/use-sub-user.ts';
import { NOTHING_TYPED, typedNewTerms } from './new-terms.ts';
import { NewTermsFields } from './new-terms-fields.tsx';
import { PairPanel } from './pair-panel.tsx';
import { subUserTexts } from './texts.ts';

/** `taken`: a try has found that. `own`, `deleted`: it is the name of an account of the reseller, or was. */
type KnownNames = Readonly<Record<string, 'taken' | 'own' | 'deleted' | undefined>>;

/** A button with the dialog that creates a sub-user, and then shows its key. */
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
			button={(open) => <Button onClick={open}>{subUserTexts.create}</Button>}
			answeredTitle={({ username }) => subUserTexts.createdTitle(username)}
			answered={(pair, { open, close }) => (
				<PairPanel
					pair={pair}
					intro={subUserTexts.createdIntro}
					actions={
						<>
							<Button variant="default" onClick={open}>
								{subUserTexts.createAnother}
							</Button>
							<Button
								variant="default"
								onClick={() => {
									close();
									navigate(`/sub-users/${pair.username}`);
								}}
							>
								{subUserTexts.openPage}
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

interface Props {
	readonly act: Act<'/sub-users/create'>;
	readonly known: KnownNames;
}

/** The name is looked up after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 300;

/** Asks for the name of a new sub-user, and what it is to have. */
function CreateForm({ act, known }: Props) {
	const [name, setName] = useState('');
	const [texts, setTexts] = useState(NOTHING_TYPED);
	const terms = typedNewTerms(texts, serverNowMs());
	const username = normalizeUsername(name);
	const [settled] = useDebouncedValue(username, PAUSE_MS);
	const isLooked = settled !== undefined && settled === username;
	const { data } = useRead('/sub-users/name', { username: settled ?? '' }, { enabled: isLooked });
	const own = isLooked ? data?.own : undefined;
	const tried = username === undefined ? undefined : known[username];
	const knownAs = tried ?? (own === 'taken' ? 'own' : (own ?? undefined));
	return (
		<ActForm
			// `failureText` says that a name is taken, and only while that name is in the field.
			act={act.failure?.code === 'username_taken' ? { ...act, failure: undefined } : act}
			body={username === undefined || knownAs || !terms ? undefined : { username, ...terms }}
			action={
				terms?.amount === undefined ? subUserTexts.createNow : subUserTexts.createAndGive(moneyText(terms.amount))
			}
			failureText={failureTextOf(act, knownAs)}
			repeated={act.sent && <Repeated username={act.sent.username} />}
		>
			<UsernameField
				label={subUserTexts.username}
				value={name}
				onType={setName}
				disabled={act.isBusy}
				{...(own === null && !knownAs && { known: subUserTexts.maybeFree })}
			/>
			<NewTermsFields texts={texts} onType={setTexts} disabled={act.isBusy} />
			<Text size="sm">{subUserTexts.fee}</Text>
		</ActForm>
	);
}

function failureTextOf({ failure }: Props['act'], knownAs: KnownNames[string]) {
	if (knownAs) return subUserTexts[knownAs];
	return failure?.code === 'insufficient_balance' ? subUserTexts.tooPoor : undefined;
}

/** Looks what became of a create whose answer was lost. */
function Repeated({ username }: { readonly username: string }) {
	const { data, error, isFetching } = useRead('/sub-user', { username }, { staleMs: 0 });
	if (isFetching) return subUserTexts.reading;
	if (error instanceof CallError && error.code === 'unknown_sub_user') return subUserTexts.repeatedTaken(username);
	if (!data || error) return <Failure error={error} />;
	return subUserTexts.repeatedCreate(username, momentText(data.created));
}
