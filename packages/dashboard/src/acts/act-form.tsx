import { Button, Group, type ModalProps, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FailureText } from '../calls/failure-texts.ts';
import { Failure, FailureNote } from '../page/failure.tsx';
import { pageTexts } from '../page/texts.ts';
import { Dialog } from './dialog.tsx';
import { Panel } from './panel.tsx';
import { actTexts } from './texts.ts';
import type { ActControl } from './use-act.ts';

interface FormProps {
	readonly act: Pick<ActControl, 'isBusy' | 'failure' | 'close'>;
	readonly onSubmit: () => void;
	/** What the button says that does it. */
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Whether everything that is needed was entered. */
	readonly isComplete?: boolean;
	readonly children: ReactNode;
}

interface Props extends FormProps {
	readonly act: ActControl;
	/** Sends it; after a lost answer, the same again. */
	readonly onSubmit: () => void;
	/** Said instead of the usual text of a failure. */
	readonly failureText?: FailureText | undefined;
	/** What is known if its answer was lost, if not the usual text. */
	readonly lost?: string;
	/** What is known if it turned out that it was done before, if not the usual text. */
	readonly repeated?: ReactNode;
}

/** What stands in the dialog of an act. If the answer was lost, it asks the service again instead. */
export function ActForm({
	act,
	onSubmit,
	failureText,
	lost = actTexts.lostAct,
	repeated = actTexts.repeated,
	children,
	...form
}: Props) {
	if (act.state !== 'open') {
		return <LostAct act={act} said={act.state === 'lost' ? lost : repeated} onTryAgain={onSubmit} />;
	}
	return (
		// The other text stands in the place of the usual one.
		<DialogForm {...form} act={failureText ? { ...act, failure: undefined } : act} onSubmit={onSubmit}>
			{children}
			{failureText && <FailureNote text={failureText} />}
		</DialogForm>
	);
}

interface LostActProps {
	readonly act: ActControl;
	readonly said: ReactNode;
	readonly onTryAgain: () => void;
}

/** Says what is known of an act whose answer was lost. */
function LostAct({ act: { state, isBusy, failure, close }, said, onTryAgain }: LostActProps) {
	return (
		<Panel>
			<Text size="sm" component="div" role="status">
				{said}
			</Text>
			<Failure error={failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={isBusy} onClick={close}>
					{actTexts.close}
				</Button>
				{state === 'lost' && (
					<Button loading={isBusy} onClick={onTryAgain}>
						{pageTexts.retry}
					</Button>
				)}
			</Group>
		</Panel>
	);
}

/** A text or fields, why the change failed, and the buttons. */
export function DialogForm({ act, onSubmit, action, isDangerous = false, isComplete = true, children }: FormProps) {
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
						{actTexts.cancel}
					</Button>
					<Button type="submit" {...(isDangerous && { color: 'red' })} disabled={!isComplete} loading={act.isBusy}>
						{action}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}

/** The title of the dialog of an act: its own, unless the answer was lost. */
export function actTitle(act: Pick<ActControl, 'state'>, title: string): string {
	return act.state === 'open' ? title : actTexts.lostTitle;
}

interface ActDialogProps extends Omit<ModalProps, 'opened' | 'onClose'> {
	readonly act: ActControl;
	readonly title: string;
	/** Also drops what the dialog has shown. */
	readonly onClose?: () => void;
}

/** The dialog of an act. In it stands an `ActForm`. */
export function ActDialog({ act, title, onClose = act.close, ...modal }: ActDialogProps) {
	return <Dialog {...modal} opened={act.isOpen} onClose={onClose} title={actTitle(act, title)} />;
}
