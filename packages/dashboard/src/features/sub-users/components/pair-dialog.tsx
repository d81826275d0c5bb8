import type { NewPair } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActControl } from '../../../api/use-act.ts';
import { actTitle } from '../../../frame/act-title.ts';
import { Dialog } from '../../../frame/dialog.tsx';
import { Panel } from '../../../frame/panel.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { PairView } from './pair-view.tsx';

interface Props {
	readonly act: ActControl;
	/** The title while the form is shown. */
	readonly title: string;
	/** What was answered, and what stands around it. */
	readonly pair: NewPair | undefined;
	readonly pairTitle: (username: string) => string;
	readonly pairIntro: string;
	/** Buttons beside the one that closes the dialog. */
	readonly actions?: ReactNode;
	/** Drops the pair. */
	readonly onClose: () => void;
	/** The form, an `ActForm`. */
	readonly children: ReactNode;
}

/** A dialog for an act that answers with a proxy auth key. It can be shown again later, so nothing asks before it goes. */
export function PairDialog({ act, title, pair, pairTitle, pairIntro, actions, onClose, children }: Props) {
	return (
		<Dialog
			opened={act.isOpen}
			onClose={onClose}
			title={pair ? pairTitle(pair.username) : actTitle(act, title)}
			size="lg"
			// A key is gone from the page at once.
			transitionProps={{ exitDuration: 0 }}
		>
			{pair ? (
				<Panel>
					<Text size="sm">{pairIntro}</Text>
					<PairView pair={pair} />
					<Group justify="flex-end">
						{actions}
						<Button onClick={onClose}>{subUserTexts.done}</Button>
					</Group>
				</Panel>
			) : (
				children
			)}
		</Dialog>
	);
}
