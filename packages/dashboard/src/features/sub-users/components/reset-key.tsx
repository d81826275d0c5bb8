import type { NewPair } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useAct } from '../../../api/use-act.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { Dialog } from '../../../frame/dialog.tsx';
import { Panel } from '../../../frame/panel.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { PairView } from './pair-view.tsx';

interface Props {
	readonly username: string;
	/** Called when the previous key is not good any more, or may not be. */
	readonly onReset: () => void;
}

/** A button with the dialog that resets a proxy auth key, and then shows the new one. */
export function ResetKey({ username, onReset }: Props) {
	const act = useAct('/sub-users/reset-key');
	/** The new key. It exists here and nowhere else, until the dialog closes. */
	const [pair, setPair] = useState<NewPair>();
	useWindowEvent('pagehide', () => setPair(undefined));

	function close() {
		if (act.isBusy) return;
		setPair(undefined);
		act.close();
	}
	async function reset() {
		setPair(await act.send({ username }));
		onReset();
	}
	function title() {
		if (pair) return subUserTexts.newKeyTitle;
		return act.state === 'open' ? subUserTexts.resetTitle : frameTexts.lostTitle;
	}

	return (
		<>
			<Button variant="outline" color="red" onClick={act.open}>
				{subUserTexts.resetKey}
			</Button>
			<Dialog opened={act.isOpen} onClose={close} title={title()} size="lg" transitionProps={{ exitDuration: 0 }}>
				{pair ? (
					<Panel>
						<Text size="sm">{subUserTexts.newKeyIntro}</Text>
						<PairView pair={pair} />
						<Group justify="flex-end">
							<Button onClick={close}>{subUserTexts.done}</Button>
						</Group>
					</Panel>
				) : (
					<ActForm
						act={act}
						onSubmit={reset}
						action={subUserTexts.resetNow}
						isDangerous
						repeated={subUserTexts.repeatedReset}
					>
						<Text size="sm">{subUserTexts.reset(username)}</Text>
					</ActForm>
				)}
			</Dialog>
		</>
	);
}
