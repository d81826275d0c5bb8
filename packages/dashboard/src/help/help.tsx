import { useWindowEvent } from '@mantine/hooks';
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle';
import { type ToggleEvent, useId, useRef } from 'react';
import classes from './help.module.css';
import { glossary, helpTexts } from './texts.ts';

/** A word of the trade. */
export type Term = keyof typeof glossary;

/** A button beside a word. It opens a note that explains the word. The browser opens and closes the note. */
export function Help({ term }: { readonly term: Term }) {
	const noteId = useId();
	const button = useRef<HTMLButtonElement>(null);
	const note = useRef<HTMLDivElement>(null);
	const { name, means } = glossary[term];

	function moveToButton() {
		if (note.current && button.current) moveBelow(note.current, button.current.getBoundingClientRect());
	}
	useWindowEvent('resize', () => {
		if (note.current?.matches(':popover-open')) moveToButton();
	});
	function show({ newState }: ToggleEvent<HTMLDivElement>) {
		if (newState !== 'open') return;
		moveToButton();
		// So it is read aloud. When it closes, the browser gives the focus back.
		note.current?.focus({ preventScroll: true });
	}

	return (
		<>
			<button
				ref={button}
				type="button"
				className={classes.button}
				popoverTarget={noteId}
				aria-label={helpTexts.ask(name)}
			>
				<IconHelpCircle size={16} aria-hidden="true" />
			</button>
			<div
				ref={note}
				id={noteId}
				popover="auto"
				tabIndex={-1}
				// The Escape key closes the note, and not also the dialog in which it stands.
				data-mantine-stop-propagation="true"
				className={classes.note}
				onToggle={show}
			>
				<strong>{name}</strong>
				<p className={classes.means}>{means}</p>
			</div>
		</>
	);
}

/** The room between a note and what is around it, in pixels. */
const GAP = 8;

/** Moves a note below its button, or above it if there is no room, and within the window. */
function moveBelow(note: HTMLElement, button: DOMRect): void {
	const { innerWidth, innerHeight, scrollX, scrollY } = window;
	const { offsetWidth: width, offsetHeight: height } = note;
	const below = button.bottom + GAP;
	const top = below + height + GAP > innerHeight && button.top > height + GAP ? button.top - GAP - height : below;
	const left = Math.max(GAP, Math.min(button.left - GAP, innerWidth - width - GAP));
	note.style.top = `${top + scrollY}px`;
	note.style.left = `${left + scrollX}px`;
}
