import { normalizeUsername } from '@bursar/contract/username';
import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActForm } from '../../acts/act-form.tsx';
import { type ActControl, useAct } from '../../acts/use-act.ts';
import { CallError, callErrorOf } from '../../calls/call.ts';
import { useRead, useReadNow } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { UsernameField } from '../../forms/username-field.tsx';
import { Failure } from '../../page/failure.tsx';
import { useNoteChange } from '../life/use-sub-users.ts';
import { PairDialog, useShownPair } from './pair-dialog.tsx';
import { subUserTexts } from './texts.ts';

/** A button with the dialog that creates a sub-user, and then shows its key. */
export function CreateSubUser() {
	const act = useAct('/sub-users/create');
	const note = useNoteChange();
	const [, navigate] = useLocation();
	const [name, setName] = useState('');
	const [sent, setSent] = useState('');
	/** Names that cannot be given any more. Each try of one would cost the fee. */
	const [known, setKnown] = useState<KnownNames>({});
	const look = useLook();
	const { pair, show, hide } = useShownPair();

	if (act.failure?.code === 'username_taken' && !known[sent]) setKnown({ ...known, [sent]: 'taken' });

	function open() {
		setName('');
		hide();
		look.clear();
		act.open();
	}
	function close() {
		if (look.isBusy) return;
		hide();
		act.close();
	}
	async function create() {
		const username = normalizeUsername(name);
		if (username === undefined || look.isBusy) return;
		// What was sent before may have made it.
		if (act.state === 'open') {
			const own = await look.look(username);
			if (own) setKnown({ ...known, [username]: own });
			if (own !== null) return;
		}
		setSent(username);
		const created = await act.send({ username });
		if (created) show(created);
		await note();
	}

	return (
		<>
			<Button onClick={open}>{subUserTexts.create}</Button>
			<PairDialog
				act={act}
				title={subUserTexts.create}
				pair={pair}
				pairTitle={subUserTexts.createdTitle}
				pairIntro={subUserTexts.createdIntro}
				actions={
					<>
						<Button variant="default" onClick={open}>
							{subUserTexts.createAnother}
						</Button>
						<Button
							variant="default"
							onClick={() => {
								close();
								navigate(`/sub-users/${pair?.username}`);
							}}
						>
							{subUserTexts.openPage}
						</Button>
					</>
				}
				onClose={close}
			>
				<CreateForm
					act={{
						...act,
						close,
						isBusy: act.isBusy || look.isBusy,
						failure: look.isBusy ? undefined : (look.failure ?? act.failure),
					}}
					name={name}
					known={known}
					onType={setName}
					onSubmit={() => void create()}
				/>
			</PairDialog>
		</>
	);
}

/** `taken`: a try has found that. `own`, `deleted`: it is the name of an account of the reseller, or was. */
type KnownNames = Readonly<Record<string, 'taken' | 'own' | 'deleted' | undefined>>;

/** Looks whether the reseller has or had a sub-user of that name, because a try would cost the fee and change nothing. */
function useLook() {
	const readNow = useReadNow();
	const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure?: CallError }>({ isBusy: false });

	return {
		...state,
		failure: state.failure,
		clear: () => setState({ isBusy: false }),
		/** `undefined` if that could not be learned. */
		async look(username: string): Promise<'own' | 'deleted' | null | undefined> {
			setState({ isBusy: true });
			try {
				const { own } = await readNow('/sub-users/name', { username });
				setState({ isBusy: false });
				return own === 'taken' ? 'own' : own;
			} catch (error) {
				setState({ isBusy: false, failure: callErrorOf(error) });
				return undefined;
			}
		},
	};
}

interface Props {
	readonly act: ActControl;
	readonly name: string;
	readonly known: KnownNames;
	readonly onType: (name: string) => void;
	readonly onSubmit: () => void;
}

/** How long somebody must have stopped typing before the name is looked up, in milliseconds. */
const PAUSE_MS = 300;

/** Asks for the name of a new sub-user. */
function CreateForm({ act, name, known, onType, onSubmit }: Props) {
	const username = normalizeUsername(name);
	const [settled] = useDebouncedValue(username, PAUSE_MS);
	const isLooked = settled !== undefined && settled === username;
	const { data } = useRead('/sub-users/name', { username: settled ?? '' }, { enabled: isLooked });
	const own = isLooked ? data?.own : undefined;
	const tried = username === undefined ? undefined : known[username];
	const knownAs = tried ?? (own === 'taken' ? 'own' : (own ?? undefined));
	return (
		<ActForm
			// That a name is taken is said of that name only.
			act={act.failure?.code === 'username_taken' ? { ...act, failure: undefined } : act}
			onSubmit={onSubmit}
			action={subUserTexts.createNow}
			isComplete={username !== undefined && !knownAs}
			failureText={failureTextOf(act, knownAs)}
			repeated={<Repeated username={name} />}
		>
			<UsernameField
				label={subUserTexts.username}
				value={name}
				onType={onType}
				disabled={act.isBusy}
				{...(own === null && !knownAs && { known: subUserTexts.maybeFree })}
			/>
			<Text size="sm">{subUserTexts.fee}</Text>
		</ActForm>
	);
}

function failureTextOf({ failure }: ActControl, knownAs: KnownNames[string]) {
	if (knownAs) return subUserTexts[knownAs];
	return failure?.code === 'insufficient_balance' ? subUserTexts.tooPoor : undefined;
}

/** Looks what became of a create whose answer was lost. */
function Repeated({ username: typed }: { readonly username: string }) {
	const username = normalizeUsername(typed) ?? typed;
	const { data, error, isFetching } = useRead('/sub-user', { username }, { staleMs: 0 });
	if (isFetching) return subUserTexts.reading;
	if (error instanceof CallError && error.code === 'unknown_sub_user') return subUserTexts.repeatedTaken(username);
	if (!data || error) return <Failure error={error} />;
	return subUserTexts.repeatedCreate(username, momentText(data.created));
}
