import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActControl } from '../api/use-act.ts';
import { frameTexts } from '../texts/frame.ts';
import { Failure } from './failure.tsx';
import { Panel } from './panel.tsx';

interface Props {
	readonly act: ActControl;
	/** What is known if the answer was lost, and if it turned out that it was done before. */
	readonly lost: string;
	readonly repeated: ReactNode;
	readonly onTryAgain: () => void;
}

/** Says what is known of an act whose answer was lost. */
export function LostAct({ act: { state, isBusy, failure, close }, lost, repeated, onTryAgain }: Props) {
	return (
		<Panel>
			<Text size="sm" component="div" role="status">
				{state === 'repeated' ? repeated : lost}
			</Text>
			<Failure error={failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={isBusy} onClick={close}>
					{frameTexts.close}
				</Button>
				{state !== 'repeated' && (
					<Button loading={isBusy} onClick={onTryAgain}>
						{frameTexts.retry}
					</Button>
				)}
			</Group>
		</Panel>
	);
}
