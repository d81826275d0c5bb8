import type { NewEdge, NewEdgeLink } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
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
	const texts = newEdgeTexts[path];
	return (
		<SecretActDialog
			path={path}
			done={useRefreshEdges()}
			title={texts.title}
			button={(open) =>
				taken === undefined ? (
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
				)
			}
			secretOf={(made) => ({
				title: texts.secretTitle(made.name),
				secret: secretOf(made),
				label: texts.secretLabel,
				intro: 'expires' in made ? edgesTexts.linkIntro(momentText(made.expires)) : edgesTexts.keyIntro,
			})}
		>
			{(act) => <CreateForm act={act} path={path} taken={taken} />}
		</SecretActDialog>
	);
}

interface FormProps extends Pick<CreateProps, 'path'> {
	readonly act: Act<NewEdgePath>;
	readonly taken: string | undefined;
}

function CreateForm({ act, path, taken }: FormProps) {
	const [name, setName] = useState(taken ?? '');
	const texts = newEdgeTexts[path];
	return (
		<ActForm act={act} body={name === '' ? undefined : { name }} action={edgesTexts.createNow} repeated={texts.lost}>
			<Text size="sm">{texts.intro}</Text>
			<PlainTextInput
				label={edgesTexts.name}
				description={edgesTexts.nameHint}
				value={name}
				onType={(typed) => setName(typed.trim().toLowerCase())}
				maxLength={LONGEST_NAME}
				readOnly={taken !== undefined}
				isName
				isFirst
			/>
		</ActForm>
	);
}

/** What the operator copies: the key, or the command that is run on the host. */
function secretOf(made: NewEdge | NewEdgeLink): string {
	return 'key' in made ? made.key : `bursar-edge join '${made.link}'`;
}

/** A button that ends the key of an edge, after a question. */
export function RevokeEdge({ name }: { readonly name: string }) {
	return (
		<ActDialog
			path="/operator/edges/revoke"
			done={useRefreshEdges()}
			title={edgesTexts.revokeTitle(name)}
			button={(open) => (
				<Button size="compact-xs" variant="default" aria-label={edgesTexts.revokeOne(name)} onClick={open}>
					{edgesTexts.revoke}
				</Button>
			)}
		>
			{(act) => (
				<ActForm act={act} body={{ name }} action={edgesTexts.revoke} isDangerous>
					<Text size="sm">{edgesTexts.revokeEffect}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}

/** For after a change: the pages read the edges again. */
function useRefreshEdges() {
	const takeOver = useTakeOver();
	return () => takeOver(undefined, ['/operator/edges']);
}
