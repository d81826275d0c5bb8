import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { CallError } from '../calls/call.ts';
import { listTexts } from './texts.ts';
import { FIRST_PAGE, type ListPosition } from './url-state.ts';

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
		<Group component="nav" justify="space-between" gap="sm" aria-label={listTexts.pager}>
			<Text size="sm" c="dimmed">
				{children}
			</Text>
			<Group gap="xs">
				<PagerButton onClick={onPrevious} isBusy={isBusy}>
					{previousText ?? listTexts.previous}
				</PagerButton>
				<PagerButton onClick={onNext} isBusy={isBusy}>
					{nextText ?? listTexts.next}
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

interface PositionPagerProps {
	/** The page that the address asks for. */
	readonly query: UseQueryResult<{ readonly next: string | null; readonly previous: string | null }>;
	readonly position: ListPosition;
	readonly onGo: (position: ListPosition, options?: { readonly replace: boolean }) => void;
}

/** Goes from page to page of a list by the position in the address. From a wrong position, it leads to the first page. */
export function PositionPager({ query, position, onGo }: PositionPagerProps) {
	const { data, error, isSuccess, isPlaceholderData } = query;
	const isNoPosition = error instanceof CallError && error.code === 'invalid_query';
	// If no row is at a position, the service answers with the first page. Then the position leaves the address.
	const isFirst = isSuccess && !isPlaceholderData && data.previous === null;
	useEffect(() => {
		if (isFirst && (position.after !== '' || position.before !== '')) onGo(FIRST_PAGE, { replace: true });
	});

	if (isNoPosition) {
		return (
			<Button variant="default" w="fit-content" onClick={() => onGo(FIRST_PAGE, { replace: true })}>
				{listTexts.toFirstPage}
			</Button>
		);
	}
	const { next, previous } = data ?? { next: null, previous: null };
	return (
		<Pager
			isBusy={isPlaceholderData}
			onPrevious={previous === null ? undefined : () => onGo({ before: previous, after: '' })}
			onNext={next === null ? undefined : () => onGo({ after: next, before: '' })}
		/>
	);
}
