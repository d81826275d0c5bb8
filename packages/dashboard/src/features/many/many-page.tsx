import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { usePresence } from '../../calls/presence.ts';
import { IfMay } from '../../page/if-may.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { SELECTION_OPERATIONS } from './operations.ts';
import { type Draft, Prepare } from './prepare.tsx';
import { RunView } from './run-view.tsx';
import { manyTexts } from './texts.ts';
import { useMany } from './use-many.ts';

/** Changes many sub-users: prepares a run, and then shows what becomes of each line. */
export function ManyPage() {
	const { data } = usePresence();
	// If another person signs in later, the page is drawn anew.
	const [email] = useState(data?.person?.email ?? '');
	const draft = readDraft(useHistoryState());
	const many = useMany(email, draft?.id);
	return (
		<Page title={manyTexts.title} lead={<BackLink href="/sub-users">{manyTexts.toList}</BackLink>}>
			{many.run && draft && many.run.draft !== draft.id && <Text fw={600}>{manyTexts.selectionWaits}</Text>}
			{many.run ? (
				<RunView many={many} run={many.run} />
			) : (
				<IfMay path="/sub-users/give">
					<Prepare draft={draft} onStart={(run) => void many.start(run)} />
				</IfMay>
			)}
		</Page>
	);
}

/** What was selected in the list stands in the history of the browser, so that it survives a reload. */
function readDraft(state: unknown): Draft | undefined {
	const { id, operation, usernames } = (state ?? {}) as Partial<Record<keyof Draft, unknown>>;
	const known = SELECTION_OPERATIONS.find((name) => name === operation);
	if (
		typeof id !== 'string' ||
		!known ||
		!Array.isArray(usernames) ||
		usernames.length === 0 ||
		usernames.length > MOST_AT_ONCE
	)
		return undefined;
	return usernames.every((name) => typeof name === 'string') ? { id, operation: known, usernames } : undefined;
}
