import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallError } from '../api/call.ts';
import { frameTexts } from '../texts/frame.ts';
import { Failure } from './failure.tsx';

/** What a form in a dialog needs to know of its change. */
export interface FormChange {
	readonly isBusy: boolean;
	readonly failure: CallError | undefined;
	readonly close: () => void;
}

interface Props {
	readonly change: FormChange;
	readonly onSubmit: () => void;
	/** What the button says that does it. */
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Whether everything that is needed was entered. */
	readonly isComplete?: boolean;
	readonly children: ReactNode;
}

/** What stands in a dialog that changes something: a text or fields, why it failed, and the buttons. */
export function DialogForm({ change, onSubmit, action, isDangerous = false, isComplete = true, children }: Props) {
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				if (isComplete) onSubmit();
			}}
		>
			<Stack>
				{children}
				<Failure error={change.failure} />
				<Group justify="flex-end">
					<Button variant="default" disabled={change.isBusy} onClick={change.close}>
						{frameTexts.cancel}
					</Button>
					<Button type="submit" {...(isDangerous && { color: 'red' })} disabled={!isComplete} loading={change.isBusy}>
						{action}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}
