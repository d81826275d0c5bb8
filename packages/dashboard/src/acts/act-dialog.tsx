import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { actTexts } from './texts.ts';
import { type Act, type ActAnswer, type ActOptions, type ActPath, useAct } from './use-act.ts';

/** For each dialog of an act. */
export interface ActDialogProps<Path extends ActPath> extends Pick<ActOptions<Path>, 'path' | 'done' | 'look'> {
	/** The title while the form is shown. */
	readonly title: string;
	/** What opens the dialog. Without it, the dialog is open at once. */
	readonly button?: ((open: () => void) => ReactNode) | undefined;
	/** The form, an `ActForm`. */
	readonly children: (act: Act<Path>) => ReactNode;
}

interface Props<Path extends ActPath> extends ActDialogProps<Path> {
	readonly isWide?: boolean;
	/** What stands in the dialog once it was done. Without it, the dialog closes then. */
	readonly answered?: (answer: ActAnswer<Path>, act: Act<Path>) => ReactNode;
	readonly answeredTitle?: (answer: ActAnswer<Path>) => string;
}

/** A button with the dialog of an act. */
export function ActDialog<Path extends ActPath>({
	title,
	button,
	children,
	answered,
	answeredTitle,
	isWide = false,
	...options
}: Props<Path>) {
	const act = useAct({ ...options, startsOpen: !button, showsAnswer: answered !== undefined });
	const { answer } = act;
	return (
		<>
			{button?.(act.open)}
			<Dialog
				opened={act.isOpen}
				onClose={act.close}
				title={answer !== undefined && answeredTitle ? answeredTitle(answer) : actTitle(act, title)}
				size={isWide ? 'lg' : 'md'}
				// The answer is gone from the page at once.
				{...(answered && { transitionProps: { exitDuration: 0 } })}
			>
				{answer !== undefined && answered ? answered(answer, act) : children(act)}
			</Dialog>
		</>
	);
}

/** The title of the dialog of an act: its own, unless the answer was lost. */
export function actTitle({ state }: Pick<Act<ActPath>, 'state'>, title: string): string {
	return state === 'open' ? title : actTexts.lostTitle;
}
