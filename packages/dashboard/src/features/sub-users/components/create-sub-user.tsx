import type { NewPair } from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import { Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../../../api/use-act.ts';
import { Dialog } from '../../../frame/dialog.tsx';
import { Panel } from '../../../frame/panel.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useNoteChange } from '../api/use-note-change.ts';
import { CreateForm } from './create-form.tsx';
import { PairView } from './pair-view.tsx';

/** A button with the dialog that creates a sub-user, and then shows its key. */
export function CreateSubUser() {
	const act = useAct('/sub-users/create');
	const note = useNoteChange();
	const [name, setName] = useState('');
	const [sent, setSent] = useState('');
	/** Names that a try has found taken. Each further try would cost the fee again. */
	const [taken, setTaken] = useState<readonly string[]>([]);
	/** The new key. It exists here and nowhere else, until the dialog closes. */
	const [pair, setPair] = useState<NewPair>();
	useWindowEvent('pagehide', () => setPair(undefined));

	if (act.failure?.code === 'username_taken' && !taken.includes(sent)) setTaken([...taken, sent]);

	function open() {
		setName('');
		setPair(undefined);
		act.open();
	}
	function close() {
		if (act.isBusy) return;
		setPair(undefined);
		act.close();
	}
	async function create() {
		const username = normalizeUsername(name);
		if (username === undefined) return;
		setSent(username);
		setPair(await act.send({ username }));
		await note();
	}

	return (
		<>
			<Button onClick={open}>{subUserTexts.create}</Button>
			<Dialog
				opened={act.isOpen}
				onClose={close}
				title={titleOf(pair, act.state !== 'open')}
				size="lg"
				// A key is gone from the page at once.
				transitionProps={{ exitDuration: 0 }}
			>
				{pair ? (
					<Created pair={pair} onAnother={open} onClose={close} />
				) : (
					<CreateForm act={act} name={name} taken={taken} onType={setName} onSubmit={create} />
				)}
			</Dialog>
		</>
	);
}

function titleOf(pair: NewPair | undefined, isLost: boolean): string {
	if (pair) return subUserTexts.createdTitle(pair.username);
	return isLost ? frameTexts.lostTitle : subUserTexts.create;
}

interface CreatedProps {
	readonly pair: NewPair;
	readonly onAnother: () => void;
	readonly onClose: () => void;
}

function Created({ pair, onAnother, onClose }: CreatedProps) {
	const [, navigate] = useLocation();
	return (
		<Panel>
			<Text size="sm">{subUserTexts.createdIntro}</Text>
			<PairView pair={pair} />
			<Group justify="flex-end">
				<Button variant="default" onClick={onAnother}>
					{subUserTexts.createAnother}
				</Button>
				<Button
					variant="default"
					onClick={() => {
						onClose();
						navigate(`/sub-users/${pair.username}`);
					}}
				>
					{subUserTexts.openPage}
				</Button>
				<Button onClick={onClose}>{subUserTexts.done}</Button>
			</Group>
		</Panel>
	);
}
