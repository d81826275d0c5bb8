import type { ListedWebhook } from '@bursar/contract/dashboard';
import { MAX_WEBHOOKS } from '@bursar/contract/limits';
import { Anchor, Paper } from '@mantine/core';
import { Link } from 'wouter';
import { useMay } from '../../calls/use-may.ts';
import { numberText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { webhooksTexts } from './texts.ts';
import { useWebhooks } from './use-webhooks.ts';
import { CreateWebhook } from './webhook-form.tsx';
import { ExplainedState } from './webhook-state.tsx';

/** The webhooks of a reseller. All its people see this page, and owners change it. */
export function WebhooksPage() {
	const query = useWebhooks();
	const mayCreate = useMay('/webhooks/create');
	const isFull = query.data !== undefined && query.data.webhooks.length >= MAX_WEBHOOKS;
	return (
		<Page
			title={pageNames.webhooks}
			lead={mayCreate ? webhooksTexts.lead : `${webhooksTexts.lead} ${webhooksTexts.onlyOwners}`}
			actions={mayCreate && <CreateWebhook reason={isFull ? webhooksTexts.tooMany : undefined} />}
		>
			<Answered query={query}>
				{({ webhooks }) =>
					webhooks.length === 0 ? (
						<Empty actions={<ReferenceLink />}>{webhooksTexts.none}</Empty>
					) : (
						<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
							<Table label={webhooksTexts.label} columns={COLUMNS} rows={webhooks} keyOf={({ id }) => id} />
						</Paper>
					)
				}
			</Answered>
		</Page>
	);
}

export function ReferenceLink() {
	return (
		<Anchor href="/docs" target="_blank" size="sm">
			{webhooksTexts.reference}
		</Anchor>
	);
}

const COLUMNS: readonly Column<ListedWebhook>[] = [
	{
		name: webhooksTexts.url,
		cell: ({ id, url }) => (
			<Anchor component={Link} href={`/webhooks/${id}`} size="sm" fw={500}>
				<Name>{url}</Name>
			</Anchor>
		),
	},
	{ name: webhooksTexts.state, cell: (webhook) => <ExplainedState webhook={webhook} /> },
	{
		name: webhooksTexts.events,
		isNumber: true,
		cell: ({ types }) => (types === null ? webhooksTexts.allEvents : webhooksTexts.someEvents(types.length)),
	},
	{
		name: webhooksTexts.behind,
		isNumber: true,
		cell: ({ behind }) => (behind === 0 ? webhooksTexts.nothingBehind : numberText(behind)),
	},
];
