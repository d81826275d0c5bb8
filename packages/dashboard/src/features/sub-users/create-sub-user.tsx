import { normalizeUsername } from '@bursar/contract/username';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActForm } from '../../acts/act-form.tsx';
import { type ActControl, useAct } from '../../acts/use-act.ts';
import { CallError } from '../../calls/call.ts';
import { useRead } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { UsernameField } from '../../forms/username-field.tsx';
import { Failure } from '../../page/failure.tsx';
import { PairDialog, useShownPair } from './pair-dialog.tsx';
import { subUserTexts } from './texts.ts';
import { useNoteChange } from './use-sub-users.ts';

/** A button with the dialog that creates a sub-user, and then shows its key. */
export function CreateSubUser() {
	const act = useAct('/sub-users/create');
	const note = useNoteChange();
	const [, navigate] = useLocation();
	const [name, setName] = useState('');
	const [sent, setSent] = useState('');
	/** Names that a try has found taken. Each further try would cost the fee again. */
	const [taken, setTaken] = useState<readonly string[]>([]);
	const { pair, show, hide } = useShownPair();

	if (act.failure?.code === 'username_taken' && !taken.includes(sent)) setTaken([...taken, sent]);

	function open() {
		setName('');
		hide();
		act.open();
	}
	function close() {
		hide();
		act.close();
	}
	async function create() {
		const username = normalizeUsername(name);
		if (username === undefined) return;
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
				<CreateForm act={act} name={name} taken={taken} onType={setName} onSubmit={() => void create()} />
			</PairDialog>
		</>
	);
}

interface Props {
	readonly act: ActControl;
	readonly name: string;
	/** Names that are known to be taken. */
	readonly taken: readonly string[];
	readonly onType: (name: string) => void;
	readonly onSubmit: () => void;
}

/** Asks for the name of a new sub-user. */
function CreateForm({ act, name, taken, onType, onSubmit }: Props) {
	const username = normalizeUsername(name);
	const isTaken = username !== undefined && taken.includes(username);
	return (
		<ActForm
			// That a name is taken is said of that name only.
			act={act.failure?.code === 'username_taken' ? { ...act, failure: undefined } : act}
			onSubmit={onSubmit}
			action={subUserTexts.createNow}
			isComplete={username !== undefined && !isTaken}
			failureText={failureTextOf(act, isTaken)}
			repeated={<Repeated username={name} />}
		>
			<UsernameField
				label={subUserTexts.username}
				value={name}
				onType={onType}
				disabled={act.isBusy}
				isTaken={isTaken}
			/>
			<Text size="sm">{subUserTexts.fee}</Text>
		</ActForm>
	);
}

function failureTextOf({ failure }: ActControl, isTaken: boolean) {
	if (isTaken) return subUserTexts.taken;
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
