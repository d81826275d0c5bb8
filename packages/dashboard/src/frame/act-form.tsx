import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActControl } from '../api/use-act.ts';
import { frameTexts } from '../texts/frame.ts';
import { Failure } from './failure.tsx';

interface Props {
	readonly act: ActControl;
	readonly onSubmit: () => void;
	/** Says what the button does. */
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Whether everything that is needed was entered. */
	readonly isComplete?: boolean;
	readonly children: ReactNode;
}

/** What stands in a dialog that asks for an act: a text or fields, why it failed, and the buttons. */
export function ActForm({ act, onSubmit, action, isDangerous = false, isComplete = true, children }: Props) {
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				if (isComplete) onSubmit();
			}}
		>
			<Stack>
				{children}
				<Failure error={act.failure} />
				<Group justify="flex-end">
					<Button variant="default" disabled={act.isBusy} onClick={act.close}>
						{frameTexts.cancel}
					</Button>
					<Button type="submit" {...(isDangerous && { color: 'red' })} disabled={!isComplete} loading={act.isBusy}>
						{action}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}
