import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isPassing } from '../api/call.ts';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

interface Props<Answer> {
	readonly query: UseQueryResult<Answer>;
	readonly children: (answer: Answer) => ReactNode;
}

/** Shows what was read; before that, that it is being read, or why it could not be. An old answer stays visible. */
export function Answered<Answer>({ query, children }: Props<Answer>) {
	const failure = (
		<Failure error={query.error} retry={isPassing(query.error) ? () => void query.refetch() : undefined} />
	);
	if (query.data === undefined) return query.error ? failure : <Loading />;
	return (
		<Stack gap="xl">
			{failure}
			{children(query.data)}
		</Stack>
	);
}
