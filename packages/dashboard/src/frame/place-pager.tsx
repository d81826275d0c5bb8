import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '../api/call.ts';
import { frameTexts } from '../texts/frame.ts';
import { FIRST_PAGE, type ListPlace } from './list-place.ts';
import { Pager } from './pager.tsx';

interface Props {
	/** The page that the address asks for. */
	readonly query: UseQueryResult<{ readonly next: string | null; readonly previous: string | null }>;
	readonly place: ListPlace;
	readonly onGo: (place: ListPlace, options?: { readonly replace: boolean }) => void;
}

/** Goes from page to page of a list by places that stand in the address; from a place that is none, to the first page. */
export function PlacePager({ query, place, onGo }: Props) {
	const { data, error, isSuccess, isPlaceholderData } = query;
	const isNoPlace = error instanceof CallError && error.code === 'invalid_query';
	// The service answers with the first page if nothing is at a place. Then the address names none.
	const isFirst = isSuccess && !isPlaceholderData && data.previous === null;
	useEffect(() => {
		if (isFirst && (place.after !== '' || place.before !== '')) onGo(FIRST_PAGE, { replace: true });
	});

	if (isNoPlace) {
		return (
			<Button variant="default" w="fit-content" onClick={() => onGo(FIRST_PAGE, { replace: true })}>
				{frameTexts.toFirstPage}
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
