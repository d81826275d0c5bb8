import type { Count } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../calls/use-may.ts';
import { useRead } from '../../calls/use-read.ts';
import { priceText } from '../../format/money.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { IfMay } from '../../page/if-may.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CreateSubUser } from './create-sub-user.tsx';
import { listFields, subUserSearch } from './list-state.ts';
import { RowDialog } from './row-dialog.tsx';
import { type RowAct, RowMenu } from './row-menu.tsx';
import { SelectAll, type Selection, SelectOne, useSelection } from './selection.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { isSearched, type Shown, SubUserList } from './sub-user-list.tsx';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

/** All sub-users of a reseller, for its people. */
export function SubUsersPage() {
	return (
		<Page
			title={pageNames.subUsers}
			help="sub_user"
			lead={subUserTexts.lead}
			actions={
				<IfMay path="/sub-users/create">
					<Group gap="xs">
						<Button component={Link} href="/many-sub-users" variant="default">
							{subUserTexts.many}
						</Button>
						<CreateSubUser />
					</Group>
				</IfMay>
			}
		>
			<OwnSubUsers />
		</Page>
	);
}

/** The act that was asked for last in the menu of a row. */
interface AskedAct {
	/** Counts the dialogs, so that each opening gets a new one. */
	readonly number: number;
	readonly username: string;
	readonly act: RowAct;
}

/** The list, with what can be done to one sub-user or to those that are selected. */
function OwnSubUsers() {
	const mayChange = useMay('/sub-users/give');
	const [state] = useUrlState(listFields);
	const selection = useSelection(JSON.stringify(subUserSearch(state)));
	const [asked, setAsked] = useState<AskedAct>();
	const [done, setDone] = useState('');

	function ask(username: string, act: RowAct) {
		setDone('');
		setAsked((before) => ({ number: (before?.number ?? 0) + 1, username, act }));
	}
	return (
		<SubUserList
			lead={(price) => (price === null ? subUserTexts.listUnmetered : subUserTexts.listMetered(priceText(price)))}
			none={subUserTexts.noneYet}
			{...(mayChange && {
				select: {
					all: (subUsers) => <SelectAll subUsers={subUsers} selection={selection} />,
					one: ({ username }) => <SelectOne username={username} selection={selection} />,
				},
				menu: {
					name: subUserTexts.acts,
					isPlain: true,
					isNumber: true,
					onCard: 'right',
					cell: (subUser) => <RowMenu subUser={subUser} onAsk={(act) => ask(subUser.username, act)} />,
				},
			})}
		>
			{(shown) => (
				<>
					<BelowToolbar shown={shown} selection={selection} done={done} />
					{asked && <RowDialog key={asked.number} {...asked} onDone={setDone} />}
				</>
			)}
		</SubUserList>
	);
}

interface BelowProps {
	readonly shown: Shown;
	readonly selection: Selection;
	/** What was done last. */
	readonly done: string;
}

/** How many there are, and what can be done with all or with those that are selected. */
function BelowToolbar({ shown, selection, done }: BelowProps) {
	const count = useCount(shown);
	return (
		<div className={classes.belowToolbar}>
			<Hits shown={shown} count={count} />
			<Text size="sm" fw={600} role="status">
				{done}
			</Text>
			{selection.usernames.size > 0 ? (
				<SelectionBar selection={selection} state={shown.state} page={shown.page} matching={count?.count} />
			) : (
				<DownloadButton path="/sub-users.csv" query={{}}>
					{subUserTexts.csv}
				</DownloadButton>
			)}
		</div>
	);
}

/** How many there are. It is read after the page, because it would delay it. */
function useCount({ state, page }: Shown): Count | undefined {
	const first = page?.previous ?? undefined;
	const where = first === undefined ? {} : { order: state.order, first };
	return useRead('/sub-users/count', { ...subUserSearch(state), ...where }, { enabled: page !== undefined }).data;
}

/** Which rows the page shows, and how many there are. */
function Hits({ shown: { state, page }, count }: { readonly shown: Shown; readonly count: Count | undefined }) {
	const rows = page?.sub_users.length ?? 0;
	const isPart = count && rows > 0 && rows < count.count;
	return (
		<Text size="sm" c="dimmed" role="status">
			{isPart && subUserTexts.range(count.before + 1, count.before + rows)}
			{count && (isSearched(state) ? subUserTexts.found(count.count) : subUserTexts.count(count.count))}
		</Text>
	);
}
