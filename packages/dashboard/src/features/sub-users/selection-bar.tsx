import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { newActId } from '../../acts/act.ts';
import { ActButton } from '../../acts/act-button.tsx';
import { type CallError, callErrorOf } from '../../calls/call.ts';
import { useReadNow } from '../../calls/use-read.ts';
import { Failure } from '../../page/failure.tsx';
import { type ListState, subUserSearch } from './list-state.ts';
import type { Selection } from './selection.tsx';
import type { Shown } from './sub-user-list.tsx';
import { subUserTexts } from './texts.ts';

const ACTS = Object.keys(subUserTexts.selectionActs) as readonly (keyof typeof subUserTexts.selectionActs)[];

interface Props extends Pick<Shown, 'state' | 'page'> {
	readonly selection: Selection;
	/** How many match the search and the filter. Absent until it is known. */
	readonly matching: number | undefined;
}

/** What can be done with all that are selected. It is prepared on a page of its own, which shows every name. */
export function SelectionBar({ selection, state, page, matching = 0 }: Props) {
	const [, navigate] = useLocation();
	const usernames = [...selection.usernames];
	const onPage = new Set(page?.sub_users.map(({ username }) => username));
	const elsewhere = page ? usernames.filter((username) => !onPage.has(username)).length : 0;
	return (
		<Stack gap={6}>
			<Group gap="xs" role="group" aria-label={subUserTexts.selection}>
				<Text size="sm" fw={600} role="status">
					{subUserTexts.selected(usernames.length)}
					{elsewhere > 0 && `, ${subUserTexts.notOnThisPage(elsewhere)}`}
				</Text>
				{ACTS.map((operation) => (
					<ActButton
						key={operation}
						size="xs"
						variant="default"
						onClick={() => navigate('/many-sub-users', { state: { id: newActId(), operation, usernames } })}
					>
						{subUserTexts.selectionActs[operation]}
					</ActButton>
				))}
				<Button size="xs" variant="subtle" onClick={selection.clear}>
					{subUserTexts.clearSelection}
				</Button>
			</Group>
			{matching > usernames.length && usernames.length < MOST_AT_ONCE && (
				<SelectMatching selection={selection} state={state} matching={matching} />
			)}
		</Stack>
	);
}

interface MatchingProps extends Pick<Props, 'selection'> {
	readonly state: ListState;
	readonly matching: number;
}

/** Selects all that match the search and the filter, on all pages, as far as one run goes. */
function SelectMatching({ selection, state, matching }: MatchingProps) {
	const readNow = useReadNow();
	const [asked, setAsked] = useState<{ readonly isBusy: boolean; readonly failure?: CallError }>({ isBusy: false });

	async function select(): Promise<void> {
		setAsked({ isBusy: true });
		try {
			selection.replace((await readNow('/sub-users/names', subUserSearch(state))).usernames);
			setAsked({ isBusy: false });
		} catch (error) {
			setAsked({ isBusy: false, failure: callErrorOf(error) });
		}
	}
	return (
		<>
			<Button size="xs" variant="default" w="fit-content" loading={asked.isBusy} onClick={() => void select()}>
				{matching > MOST_AT_ONCE ? subUserTexts.selectFirst : subUserTexts.selectMatching(matching)}
			</Button>
			<Failure error={asked.failure} />
		</>
	);
}
