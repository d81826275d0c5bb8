import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { frameTexts } from '../texts/frame.ts';

interface Props {
	/** Absent if this is the first page. */
	readonly onPrevious?: (() => void) | undefined;
	/** Absent if this is the last page. */
	readonly onNext?: (() => void) | undefined;
	/** Whether the page that was asked for is being read. */
	readonly isBusy?: boolean;
	/** What the buttons say, if not "previous" and "next". */
	readonly previousText?: string;
	readonly nextText?: string;
	/** Stands on the left. */
	readonly children?: ReactNode;
}

/** Goes from page to page of a list. Nothing is shown if there is only one page. */
export function Pager({ onPrevious, onNext, isBusy = false, previousText, nextText, children }: Props) {
	if (!onPrevious && !onNext && children === undefined) return null;
	return (
		<Group component="nav" justify="space-between" gap="sm" aria-label={frameTexts.pager}>
			<Text size="sm" c="dimmed">
				{children}
			</Text>
			<Group gap="xs">
				<PagerButton onClick={onPrevious} isBusy={isBusy}>
					{previousText ?? frameTexts.previous}
				</PagerButton>
				<PagerButton onClick={onNext} isBusy={isBusy}>
					{nextText ?? frameTexts.next}
				</PagerButton>
			</Group>
		</Group>
	);
}

interface ButtonProps {
	readonly onClick?: (() => void) | undefined;
	readonly isBusy: boolean;
	readonly children: string;
}

/** At the first and the last page the button stays, so that it keeps the focus. */
function PagerButton({ onClick, isBusy, children }: ButtonProps) {
	const isDisabled = !onClick || isBusy;
	return (
		<Button
			size="sm"
			variant="default"
			{...(isDisabled ? { 'data-disabled': true, 'aria-disabled': true } : { onClick: toTop(onClick) })}
		>
			{children}
		</Button>
	);
}

function toTop(go: () => void): () => void {
	return () => {
		go();
		window.scrollTo({ top: 0 });
	};
}
