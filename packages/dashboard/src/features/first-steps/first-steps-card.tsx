import { Anchor, Button, VisuallyHidden } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Section } from '../../page/section.tsx';
import classes from './first-steps.module.css';
import { firstStepsTexts } from './texts.ts';

export interface Step {
	readonly id: string;
	readonly isDone: boolean;
	readonly text: string;
	/** Where it is done. */
	readonly href?: string | undefined;
	/** A button with this text that does it, if that is no page. */
	readonly action?: ((text: string) => ReactNode) | undefined;
	/** Says what does it, if that is no page. */
	readonly note?: ReactNode;
}

interface Props {
	readonly title: string;
	readonly steps: readonly Step[];
	readonly onHide: () => void;
}

/** A list of what is done first, each with the page on which it is done. It is gone when all is done. */
export function FirstStepsCard({ title, steps, onHide }: Props) {
	const done = steps.filter(({ isDone }) => isDone).length;
	if (done === steps.length) return null;
	return (
		<Section
			title={title}
			lead={firstStepsTexts.progress(done, steps.length)}
			actions={
				<Button variant="subtle" size="compact-sm" onClick={onHide}>
					{firstStepsTexts.hide}
				</Button>
			}
		>
			<ul className={classes.list}>
				{steps.map((step) => (
					<StepItem key={step.id} step={step} />
				))}
			</ul>
		</Section>
	);
}

function StepItem({ step: { isDone, text, href, action, note } }: { readonly step: Step }) {
	return (
		<li className={classes.step} data-done={isDone || undefined}>
			<span className={classes.mark} aria-hidden="true">
				{isDone && <IconCheck size={16} stroke={2.5} />}
			</span>
			<span>
				<VisuallyHidden>{isDone ? firstStepsTexts.done : firstStepsTexts.toDo}: </VisuallyHidden>
				{isDone ? text : <ToDo text={text} href={href} action={action} />}
				{!isDone && note && <> {note}</>}
			</span>
		</li>
	);
}

function ToDo({ text, href, action }: Pick<Step, 'text' | 'href' | 'action'>) {
	if (action) return action(text);
	if (href === undefined) return text;
	return (
		<Anchor component={Link} href={href} size="sm">
			{text}
		</Anchor>
	);
}
