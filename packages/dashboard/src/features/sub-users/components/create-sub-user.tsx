import { normalizeUsername } from '@bursar/contract/username';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../../../api/use-act.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useNoteChange } from '../api/use-note-change.ts';
import { useShownPair } from '../use-shown-pair.ts';
import { CreateForm } from './create-form.tsx';
import { PairDialog } from './pair-dialog.tsx';

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
