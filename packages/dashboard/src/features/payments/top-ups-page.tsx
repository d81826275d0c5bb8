import type { TopUpPage } from '@bursar/contract/dashboard';
import type { TopUp } from '@bursar/contract/payment-schemas';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { type ListPosition, textField, type UrlFields, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Moment } from '../../page/moment.tsx';
import { Page } from '../../page/page.tsx';
import { topUpPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { amountColumn, WENT_BACK } from './columns.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import { payUrl } from './pay-url.ts';
import { paymentTexts, topUpsTexts } from './texts.ts';
import { TopUpForm } from './top-up-form.tsx';
import { useTopUps } from './use-top-ups.ts';

const fields: UrlFields<ListPosition> = { after: textField(), before: textField() };

/** The payments of a reseller through providers, and how one begins. All its people see this page. */
export function TopUpsPage() {
	const [position, change] = useUrlState(fields);
	const query = useTopUps(position);
	return (
		<Page title={pageNames.topUps} lead={topUpsTexts.lead}>
			<Answered query={query}>
				{(page) => (
					<>
						<Begin page={page} />
						{page.waiting.length > 0 && <WaitingSection payments={page.waiting} />}
						<Section title={topUpsTexts.past}>
							{page.past.length === 0 ? (
								<Empty>{page.waiting.length === 0 ? topUpsTexts.none : topUpsTexts.nonePast}</Empty>
							) : (
								<Table
									label={topUpsTexts.pastLabel}
									columns={PAST}
									rows={page.past}
									keyOf={({ id }) => id}
									isStale={query.isPlaceholderData}
								/>
							)}
							<PositionPager query={query} position={position} onGo={change} />
						</Section>
					</>
				)}
			</Answered>
		</Page>
	);
}

/** The form, or why there is none. */
function Begin({ page }: { readonly page: TopUpPage }) {
	if (page.providers.length === 0) return <Empty>{topUpsTexts.off}</Empty>;
	return (
		<IfMay path="/top-ups/create" otherwise={<Text size="sm">{topUpsTexts.onlyWho}</Text>}>
			<Section title={topUpsTexts.form} lead={topUpsTexts.formLead}>
				<TopUpForm providers={page.providers} bounds={page} />
			</Section>
		</IfMay>
	);
}

function WaitingSection({ payments }: { readonly payments: readonly TopUp[] }) {
	const hasPages = payments.some(({ url }) => payUrl(url) !== undefined);
	return (
		<Section title={topUpsTexts.waiting} lead={topUpsTexts.waitingLead}>
			<Table
				label={topUpsTexts.waitingLabel}
				columns={hasPages ? [...WAITING, CONTINUE] : WAITING}
				rows={payments}
				keyOf={({ id }) => id}
			/>
		</Section>
	);
}

const BEGUN: Column<TopUp> = {
	name: paymentTexts.begun,
	cell: ({ id, timestamp }) => (
		<Anchor component={Link} href={topUpPath(id)} size="sm" fw={500}>
			<Moment at={timestamp} />
		</Anchor>
	),
};
const PROVIDER: Column<TopUp> = {
	name: paymentTexts.provider,
	cell: ({ provider }) => PROVIDER_TITLES[provider],
};
const STATE: Column<TopUp> = { name: paymentTexts.state, cell: (payment) => <OutcomeBadge payment={payment} /> };

const WAITING: readonly Column<TopUp>[] = [
	BEGUN,
	PROVIDER,
	STATE,
	{
		name: paymentTexts.until,
		cell: ({ state, expires_at }) => (state === 'processing' || expires_at === null ? '–' : <Moment at={expires_at} />),
	},
	amountColumn(paymentTexts.amount, ({ amount }) => amount),
];

const CONTINUE: Column<TopUp> = {
	name: paymentTexts.id,
	isPlain: true,
	isNumber: true,
	cell: (payment) => <ContinueButton payment={payment} />,
};

const PAST: readonly Column<TopUp>[] = [
	BEGUN,
	PROVIDER,
	STATE,
	amountColumn(paymentTexts.amount, ({ amount }) => amount),
	WENT_BACK,
	amountColumn(paymentTexts.credited, ({ credited }) => credited),
];

/** Leads to the page of the provider, while it can be paid there. */
function ContinueButton({ payment }: { readonly payment: TopUp }) {
	const url = payUrl(payment.url);
	if (url === undefined) return null;
	const provider = PROVIDER_TITLES[payment.provider];
	return (
		<Button
			component="a"
			href={url}
			size="compact-sm"
			variant="default"
			aria-label={paymentTexts.continueOne(provider, moneyText(payment.amount))}
		>
			{paymentTexts.continue(provider)}
		</Button>
	);
}
