import { Button, Text } from '@mantine/core';
import { useAct } from '../../../api/use-act.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useShownPair } from '../use-shown-pair.ts';
import { PairDialog } from './pair-dialog.tsx';

interface Props {
	readonly username: string;
	/** Called when the previous key is not good any more, or may not be. */
	readonly onReset: () => void;
}

/** A button with the dialog that resets a proxy auth key, and then shows the new one. */
export function ResetKey({ username, onReset }: Props) {
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
