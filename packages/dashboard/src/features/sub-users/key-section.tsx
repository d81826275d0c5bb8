import type { NewPair } from '@bursar/contract/dashboard';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { newActId } from '../../acts/act.ts';
import { ActButton } from '../../acts/act-button.tsx';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { useChange } from '../../calls/use-change.ts';
import { Failure } from '../../page/failure.tsx';
import { connectPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { PairPanel, PairView } from './pair-panel.tsx';
import { subUserTexts } from './texts.ts';

/** The proxy auth key of a sub-user. It is read when a button asks for it, and the service records that. */
export function KeySection({ username }: { readonly username: string }) {
	const question = useChange('/sub-users/show-key');
	/** The key exists here and nowhere else. It is dropped when the page is left. */
	const [pair, setPair] = useState<NewPair>();
	const hide = () => setPair(undefined);
	useWindowEvent('pagehide', hide);

	async function ask() {
		setPair(await question.run({ act: newActId(), username }));
	}

	return (
		<Section
			title={subUserTexts.key}
			help="proxy_auth_key"
			lead={subUserTexts.keyLead}
			actions={
				<Group gap="xs">
					<Button variant="default" loading={question.isBusy} onClick={pair ? hide : ask}>
						{pair ? subUserTexts.hideKey : subUserTexts.showKey}
					</Button>
					<ResetKey username={username} onReset={hide} />
				</Group>
			}
			footer={
				<Anchor component={Link} href={connectPath(username)} size="sm">
					{subUserTexts.connect}
				</Anchor>
			}
		>
			<Failure error={question.failure} />
			{pair ? (
				<PairView pair={pair} />
			) : (
				<Text size="sm" c="dimmed">
					{subUserTexts.showIsRecorded}
				</Text>
			)}
		</Section>
	);
}

interface Props {
	readonly username: string;
	/** Called when the previous key is not good any more, or may not be. */
	readonly onReset: () => void;
}

/** A button with the dialog that resets a proxy auth key, and then shows the new one. */
function ResetKey({ username, onReset }: Props) {
	return (
		<ActDialog
			path="/sub-users/reset-key"
			done={onReset}
			title={subUserTexts.resetTitle}
			isWide
			button={(open) => (
				<ActButton variant="outline" color="red" onClick={open}>
					{subUserTexts.resetKey}
				</ActButton>
			)}
			answeredTitle={() => subUserTexts.newKeyTitle}
			answered={(pair, { close }) => <PairPanel pair={pair} intro={subUserTexts.newKeyIntro} onClose={close} />}
		>
			{(act) => (
				<ActForm
					act={act}
					body={{ username }}
					action={subUserTexts.resetNow}
					isDangerous
					repeated={subUserTexts.repeatedReset}
				>
					<Text size="sm">{subUserTexts.reset(username)}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}
