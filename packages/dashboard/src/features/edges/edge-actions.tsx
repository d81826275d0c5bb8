import type { NewEdge, NewEdgeLink } from '@bursar/contract/dashboard';
import { Button, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { edgesTexts, newEdgeTexts } from './texts.ts';

const LONGEST_NAME = 63;

/** By a link, the host makes a key for itself. A key is for programs of the operator's own. */
export type NewEdgePath = '/operator/edges/link' | '/operator/edges/create';

interface CreateProps {
	readonly path: NewEdgePath;
	/** Of an edge that was revoked, or whose host has not joined. */
	readonly name?: string;
	/** Why it cannot be done now. */
	readonly reason?: string | undefined;
	/** Another button, which stands before it. */
	readonly before?: ReactNode;
}

/** A button that makes an edge, or takes one back, and shows its link or key once. */
export function CreateEdge({ path, name: taken, reason, before }: CreateProps) {
	const act = useAct(path);
	const note = useNoteEdges();
	const [name, setName] = useState('');
	/** The link or key exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<NewEdge | NewEdgeLink>();
	const texts = newEdgeTexts[path];

	function open() {
		setName(taken ?? '');
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
			{taken === undefined ? (
				<ExplainedButton
					variant={path === '/operator/edges/link' ? 'filled' : 'default'}
					reason={reason}
					before={before}
					onClick={open}
				>
					{texts.action}
				</ExplainedButton>
			) : (
				<Button size="compact-xs" variant="default" aria-label={texts.againOne(taken)} onClick={open}>
					{texts.again}
				</Button>
			)}
			<SecretActDialog
				act={act}
				title={texts.title}
				secret={made && secretOf(made)}
				secretTitle={texts.secretTitle(made?.name ?? '')}
				secretLabel={texts.secretLabel}
				secretIntro={made && 'expires' in made ? edgesTexts.linkIntro(momentText(made.expires)) : edgesTexts.keyIntro}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void send()}
					action={edgesTexts.createNow}
					repeated={texts.lost}
					isComplete={name !== ''}
				>
					<Text size="sm">{texts.intro}</Text>
					<TextInput
						label={edgesTexts.name}
						description={edgesTexts.nameHint}
						value={name}
						maxLength={LONGEST_NAME}
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						readOnly={taken !== undefined}
						data-autofocus
						onChange={({ currentTarget }) => setName(currentTarget.value.trim().toLowerCase())}
					/>
				</ActForm>
			</SecretActDialog>
		</>
	);
}

/** What the operator copies: the key, or the command that is run on the host. */
function secretOf(made: NewEdge | NewEdgeLink): string {
	return 'key' in made ? made.key : `bursar-edge join '${made.link}'`;
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
