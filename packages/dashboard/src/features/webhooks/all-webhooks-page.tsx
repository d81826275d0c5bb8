import type { WebhookOfReseller } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Anchor, Paper, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { SearchField, Toolbar } from '../../lists/toolbar.tsx';
import {
	FIRST_PAGE,
	type ListPosition,
	positionQueryOf,
	textField,
	type UrlFields,
	useUrlState,
} from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { resellerPath } from '../../page/paths.ts';
import { pageNames } from '../../shell/texts.ts';
import { allWebhooksTexts, webhooksTexts } from './texts.ts';
import { ExplainedState } from './webhook-state.tsx';

/** The webhooks of all resellers, for operators. */
export function AllWebhooksPage() {
	const [state, change] = useUrlState(fields);
	const { search } = state;
	const query = useRead(
		'/operator/webhooks',
		{ ...(search !== '' && { search }), ...positionQueryOf(state) },
		{ keepsPrevious: true, everyMs: 30_000 },
	);
	return (
		<Page title={pageNames.webhooks} lead={allWebhooksTexts.lead}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
				<Toolbar>
					<SearchField
						label={allWebhooksTexts.search}
						value={search}
						maxLength={USERNAME_MAX_LENGTH}
						onChange={(next) => change({ search: next, ...FIRST_PAGE }, { replace: true })}
					/>
				</Toolbar>
				<Answered query={query}>
					{({ webhooks }) =>
						webhooks.length > 0 ? (
							<Table
								label={allWebhooksTexts.label}
								columns={COLUMNS}
								rows={webhooks}
								keyOf={({ id }) => id}
								isStale={query.isPlaceholderData}
							/>
						) : (
							<Empty>{search === '' ? allWebhooksTexts.none : allWebhooksTexts.nothingFound}</Empty>
						)
					}
				</Answered>
				<PositionPager query={query} position={state} onGo={change} />
			</Paper>
		</Page>
	);
}

const COLUMNS: readonly Column<WebhookOfReseller>[] = [
	{
		name: allWebhooksTexts.reseller,
		cell: ({ reseller }) => (
			<Anchor component={Link} href={resellerPath(reseller)} size="sm" fw={500}>
				<Name>{reseller}</Name>
			</Anchor>
		),
	},
	{ name: allWebhooksTexts.host, cell: ({ host }) => <Name>{host}</Name> },
	{ name: webhooksTexts.state, cell: (webhook) => <ExplainedState webhook={webhook} /> },
	{
		name: webhooksTexts.behind,
		isNumber: true,
		cell: ({ behind }) => (behind === 0 ? webhooksTexts.nothingBehind : numberText(behind)),
	},
	{
		name: webhooksTexts.failingSince,
		isNumber: true,
		cell: ({ failing_since }) => (failing_since === null ? '–' : <Moment at={failing_since} />),
	},
	{ name: webhooksTexts.created, isNumber: true, cell: ({ created }) => <Moment at={created} /> },
];

/** Which webhooks are listed, as it stands in the address. */
interface State extends ListPosition {
	/** The beginning of the name of the reseller, in lowercase. */
	readonly search: string;
}

const fields: UrlFields<State> = {
	search: textField(USERNAME_MAX_LENGTH),
	after: textField(),
	before: textField(),
};
