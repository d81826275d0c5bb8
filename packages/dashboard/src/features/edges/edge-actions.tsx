import type { NewEdge } from '@bursar/contract/dashboard';
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { edgesTexts } from './texts.ts';

const LONGEST_NAME = 63;

interface CreateProps {
	/** Of an edge that was revoked. */
	readonly name?: string;
}

/** A button that makes an edge, or gives a revoked one a new key, and shows the key once. */
export function CreateEdge({ name: revoked }: CreateProps) {
	const act = useAct('/operator/edges/create');
	const note = useNoteEdges();
	const [name, setName] = useState('');
	/** The key exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<NewEdge>();

	function open() {
		setName(revoked ?? '');
		act.open();
	}
	function close() {
		setMade(undefined);
		act.close();
	}
	async function send() {
		const answer = await act.send({ name });
		if (answer) setMade(answer);
		await note();
	}

	return (
		<>
			{revoked === undefined ? (
				<Button onClick={open}>{edgesTexts.create}</Button>
			) : (
				<Button size="compact-xs" variant="default" aria-label={edgesTexts.newKeyOne(revoked)} onClick={open}>
					{edgesTexts.newKey}
				</Button>
			)}
			<SecretActDialog
				act={act}
				title={edgesTexts.create}
				secret={made?.key}
				secretTitle={edgesTexts.keyTitle(made?.name ?? '')}
				secretLabel={edgesTexts.keyLabel}
				secretIntro={edgesTexts.keyIntro}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void send()}
					action={edgesTexts.createNow}
					repeated={edgesTexts.keyLost}
					isComplete={name !== ''}
				>
					<Text size="sm">{edgesTexts.createIntro}</Text>
					<TextInput
						label={edgesTexts.name}
						description={edgesTexts.nameHint}
						value={name}
						maxLength={LONGEST_NAME}
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						readOnly={revoked !== undefined}
						data-autofocus
						onChange={({ currentTarget }) => setName(currentTarget.value.trim().toLowerCase())}
					/>
				</ActForm>
			</SecretActDialog>
		</>
	);
}

/** A button that ends the key of an edge, after a question. */
export function RevokeEdge({ name }: { readonly name: string }) {
	const act = useAct('/operator/edges/revoke');
	const note = useNoteEdges();

	async function send() {
		if (await act.send({ name })) act.close();
		await note();
	}

	return (
		<>
			<Button size="compact-xs" variant="default" aria-label={edgesTexts.revokeOne(name)} onClick={act.open}>
				{edgesTexts.revoke}
			</Button>
			<ActDialog act={act} title={edgesTexts.revokeTitle(name)}>
				<ActForm act={act} onSubmit={() => void send()} action={edgesTexts.revoke} isDangerous>
					<Text size="sm">{edgesTexts.revokeEffect}</Text>
				</ActForm>
			</ActDialog>
		</>
	);
}

/** Reads the edges again after one of them was changed. */
function useNoteEdges() {
	const takeOver = useTakeOver();
	return () => takeOver(undefined, ['/operator/edges']);
}
