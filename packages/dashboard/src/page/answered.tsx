import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError, isPassing } from '../calls/call.ts';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

interface Props<Answer> {
	readonly query: UseQueryResult<Answer>;
	/** Stands there until the answer comes, best as large as what then replaces it. */
	readonly skeleton?: ReactNode;
	readonly children: (answer: Answer) => ReactNode;
}

/** Shows what was read; before that, that it is being read, or why it could not be. An old answer stays visible. */
export function Answered<Answer>({ query, skeleton = <Loading />, children }: Props<Answer>) {
	// The frame says it already, around a page that stays.
	const isSaid = query.data !== undefined && query.error instanceof CallError && query.error.code === 'signed_out';
	const failure = (
		<Failure error={query.error} retry={isPassing(query.error) ? () => void query.refetch() : undefined} />
	);
	if (query.data === undefined) return query.error ? failure : skeleton;
	return (
		<Stack gap="lg">
			{!isSaid && failure}
			{children(query.data)}
		</Stack>
	);
}
