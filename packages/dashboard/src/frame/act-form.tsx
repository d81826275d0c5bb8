import type { ReactNode } from 'react';
import type { ActControl } from '../api/use-act.ts';
import type { FailureText } from '../texts/failures.ts';
import { frameTexts } from '../texts/frame.ts';
import { DialogForm } from './dialog-form.tsx';
import { FailureNote } from './failure-note.tsx';
import { LostAct } from './lost-act.tsx';

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
	/** What is known if its answer was lost, if not the usual text; and then, if it turned out that it was done. */
	readonly lost?: string;
	readonly repeated: ReactNode;
	readonly children: ReactNode;
}

/** What stands in the dialog of an act. If the answer was lost, it asks the service again instead. */
export function ActForm({ act, onSubmit, failureText, lost = frameTexts.lostAct, repeated, children, ...form }: Props) {
	if (act.state !== 'open') {
		return <LostAct act={act} lost={lost} repeated={repeated} onTryAgain={onSubmit} />;
	}
	return (
		// The other text stands in the place of the usual one.
		<DialogForm {...form} change={failureText ? { ...act, failure: undefined } : act} onSubmit={onSubmit}>
			{children}
			{failureText && <FailureNote text={failureText} />}
		</DialogForm>
	);
}
