import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActControl } from '../../../api/use-act.ts';
import { DialogForm } from '../../../frame/dialog-form.tsx';
import { Failure } from '../../../frame/failure.tsx';
import { FailureNote } from '../../../frame/failure-note.tsx';
import { focusOnMount } from '../../../frame/focus-on-mount.ts';
import type { FailureText } from '../../../texts/failures.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import classes from './sub-users.module.css';

interface Props {
	readonly act: ActControl;
	/** Sends it; after a lost answer, the same again. */
	readonly onSubmit: () => void;
	/** What the button says that does it. */
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Whether everything that is needed was entered. */
	readonly isComplete?: boolean;
	/** Said instead of the usual text of a failure. */
	readonly failureText?: FailureText | undefined;
	/** What is known if it was done before, but its answer was lost. */
	readonly repeated: ReactNode;
	readonly children: ReactNode;
}

/** What stands in the dialog of an act. If the answer was lost, it asks the service again instead. */
export function ActForm(props: Props) {
	const { act, onSubmit, action, isDangerous = false, isComplete = true, failureText, children } = props;
	if (act.state !== 'open') return <Lost {...props} />;
	return (
		<DialogForm
			// The other text stands in the place of the usual one.
			change={failureText ? { ...act, failure: undefined } : act}
			onSubmit={onSubmit}
			action={action}
			isDangerous={isDangerous}
			isComplete={isComplete}
		>
			{children}
			{failureText && <FailureNote text={failureText} />}
		</DialogForm>
	);
}

function Lost({ act, onSubmit, repeated }: Props) {
	return (
		<Stack ref={focusOnMount} tabIndex={-1} className={classes.panel}>
			<Text size="sm" component="div" role="status">
				{act.state === 'lost' ? subUserTexts.lost : repeated}
			</Text>
			<Failure error={act.failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={act.isBusy} onClick={act.close}>
					{subUserTexts.close}
				</Button>
				{act.state === 'lost' && (
					<Button loading={act.isBusy} onClick={onSubmit}>
						{subUserTexts.askAgain}
					</Button>
				)}
			</Group>
		</Stack>
	);
}
