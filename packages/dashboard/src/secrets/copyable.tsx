import { Button, Code, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './copyable.module.css';
import { secretTexts } from './texts.ts';

/** How long the button says that it has copied. */
const COPIED_MS = 2_000;

interface Props {
	/** What is shown and copied. */
	readonly text: string;
	/** Says what it is. */
	readonly label: string;
	/** Whether its lines must stay whole. A line that is too long can be scrolled. */
	readonly isCommand?: boolean;
	/**
	 * Answers what is copied instead of the text, which hides a secret. `undefined` if there is nothing to copy; why is
	 * then said elsewhere.
	 */
	readonly readHidden?: (() => Promise<string | undefined>) | undefined;
}

/**
 * A text with a button that copies it. If the browser does not allow that, the button selects the text. Mantine's
 * `useClipboard` has no second way, and over plain http there is no other.
 */
export function Copyable({ text, label, isCommand = false, readHidden }: Props) {
	const block = useRef<HTMLPreElement>(null);
	const [state, setState] = useState<'shown' | 'copied' | 'selected' | 'refused'>('shown');

	useEffect(() => {
		if (state !== 'copied') return undefined;
		const timer = setTimeout(() => setState('shown'), COPIED_MS);
		return () => clearTimeout(timer);
	}, [state]);

	async function copyHidden(read: () => Promise<string | undefined>) {
		const hidden = await read();
		if (hidden === undefined) return;
		const isCopied = (await writeToClipboard(hidden)) || copyUnseen(hidden);
		setState(isCopied ? 'copied' : 'refused');
	}
	async function copy() {
		if (readHidden) return copyHidden(readHidden);
		const isCopied = (await writeToClipboard(text)) || copySelected(block.current);
		setState(isCopied ? 'copied' : 'selected');
	}

	return (
		<div className={classes.line}>
			<Code
				block
				ref={block}
				className={isCommand ? `${classes.text} ${classes.isCommand}` : classes.text}
				aria-label={label}
				role="group"
				tabIndex={isCommand ? 0 : undefined}
			>
				{text}
			</Code>
			<Button size="xs" variant="default" w={84} onClick={copy} aria-live="polite">
				{state === 'copied' ? secretTexts.copied : secretTexts.copy}
			</Button>
			<Text size="sm" className={classes.note} role="status">
				{state === 'selected' && secretTexts.copyByHand}
				{state === 'refused' && secretTexts.copyAgain}
			</Text>
		</div>
	);
}

/** Browsers allow it only over https and at localhost. */
async function writeToClipboard(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return false;
	}
}

/** Selects the text, and copies it if the browser does that without a clipboard. */
function copySelected(block: HTMLPreElement | null): boolean {
	if (!block) return false;
	window.getSelection()?.selectAllChildren(block);
	return document.execCommand('copy');
}

/** Copies a text that is not on the page, if the browser does that without a clipboard. */
function copyUnseen(text: string): boolean {
	let isTaken = false;
	function take(event: ClipboardEvent) {
		event.clipboardData?.setData('text/plain', text);
		event.preventDefault();
		isTaken = event.clipboardData !== null;
	}
	document.addEventListener('copy', take, { once: true });
	const isDone = document.execCommand('copy');
	document.removeEventListener('copy', take);
	return isDone && isTaken;
}
