import '@mantine/core/styles/Code.css';
import { Button, Code, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import classes from './copyable.module.css';
import { secretTexts } from './texts.ts';

interface Props {
	/** What is shown and copied. */
	readonly text: string;
	/** Says what it is. */
	readonly label: string;
	/** Whether its lines must stay whole. A line that is too long can be scrolled. */
	readonly isCommand?: boolean;
}

/** A text with a button that copies it. If the browser does not allow that, the button selects the text. */
export function Copyable({ text, label, isCommand = false }: Props) {
	const block = useRef<HTMLPreElement>(null);
	const { copy, copied, error } = useClipboard();
	const [isSelected, setSelected] = useState(false);

	// Browsers have a clipboard only over https and at localhost.
	useEffect(() => {
		if (error) setSelected(!copySelected(block.current));
	}, [error]);
	const isCopied = copied || (error !== null && !isSelected);

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
			<Button size="xs" variant="default" w={84} onClick={() => copy(text)} aria-live="polite">
				{isCopied ? secretTexts.copied : secretTexts.copy}
			</Button>
			<Text size="sm" className={classes.note} role="status">
				{isSelected && secretTexts.copyByHand}
			</Text>
		</div>
	);
}

/** Selects the text, and copies it if the browser does that without a clipboard. */
function copySelected(block: HTMLPreElement | null): boolean {
	if (!block) return false;
	window.getSelection()?.selectAllChildren(block);
	return document.execCommand('copy');
}
