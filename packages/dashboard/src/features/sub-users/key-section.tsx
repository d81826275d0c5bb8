import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { newActId } from '../../acts/act.ts';
import { ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useChange } from '../../calls/use-change.ts';
import { Failure } from '../../page/failure.tsx';
import { Section } from '../../page/section.tsx';
import { PairDialog, PairView, useShownPair } from './pair-dialog.tsx';
import { subUserTexts } from './texts.ts';

/** The proxy auth key of a sub-user. It is read when somebody asks to see it, and that is recorded. */
export function KeySection({ username }: { readonly username: string }) {
	const question = useChange('/sub-users/show-key');
	const { pair, show, hide } = useShownPair();

	async function ask() {
		const answer = await question.run({ act: newActId(), username });
		if (answer) show(answer);
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
		>
			<Failure error={question.failure} />
			{pair ? (
				<PairView pair={pair} />
			) : (
				<Text size="sm" c="dimmed">
					{subUserTexts.showIsRecorded}
				</Text>
			)}
			<Anchor component={Link} href={`/connect?sub_user=${encodeURIComponent(username)}`} size="sm" w="fit-content">
				{subUserTexts.connect}
			</Anchor>
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
	const act = useAct('/sub-users/reset-key');
	const { pair, show, hide } = useShownPair();

	function close() {
		hide();
		act.close();
	}
	async function reset() {
		const answer = await act.send({ username });
		if (answer) show(answer);
		onReset();
	}

	return (
		<>
			<Button variant="outline" color="red" onClick={act.open}>
				{subUserTexts.resetKey}
			</Button>
			<PairDialog
				act={act}
				title={subUserTexts.resetTitle}
				pair={pair}
				pairTitle={() => subUserTexts.newKeyTitle}
				pairIntro={subUserTexts.newKeyIntro}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void reset()}
					action={subUserTexts.resetNow}
					isDangerous
					repeated={subUserTexts.repeatedReset}
				>
					<Text size="sm">{subUserTexts.reset(username)}</Text>
				</ActForm>
			</PairDialog>
		</>
	);
}
