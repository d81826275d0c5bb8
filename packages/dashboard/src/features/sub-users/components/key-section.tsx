import type { NewPair } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { newActId } from '../../../api/act-id.ts';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../frame/failure.tsx';
import { Section } from '../../../frame/section.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { PairView } from './pair-view.tsx';
import { ResetKey } from './reset-key.tsx';

/** The proxy auth key of a sub-user. It is read when somebody asks to see it, and that is recorded. */
export function KeySection({ username }: { readonly username: string }) {
	const show = useChange('/sub-users/show-key');
	/** The key. It exists here and nowhere else, until it is hidden or the page is left. */
	const [pair, setPair] = useState<NewPair>();
	const hide = () => setPair(undefined);
	useWindowEvent('pagehide', hide);

	return (
		<Section
			title={subUserTexts.key}
			lead={subUserTexts.keyLead}
			actions={
				<Group gap="xs">
					<Button
						variant="default"
						loading={show.isBusy}
						onClick={async () => (pair ? hide() : setPair(await show.run({ act: newActId(), username })))}
					>
						{pair ? subUserTexts.hideKey : subUserTexts.showKey}
					</Button>
					<ResetKey username={username} onReset={hide} />
				</Group>
			}
		>
			<Failure error={show.failure} />
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
