import type { TopUp } from '@bursar/contract/payment-schemas';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { serverNowMs, useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Facts } from '../../page/facts.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { isWaiting, mayGetMoney, outcomeOf } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { payUrl } from './pay-url.ts';
import { paymentTexts, topUpTexts } from './texts.ts';
import { lookEveryMs, useTopUp } from './use-top-ups.ts';

/** How often the page looks whether it has waited for long. */
const STEP_MS = 10_000;

/**
 * One payment of a reseller. Its provider sends the browser back to this page, whatever has happened there: so it believes only
 * what the service says.
 */
export function TopUpPage({ id }: { readonly id: string }) {
	const [sinceMs, setSince] = useState(serverNowMs);
	const query = useTopUp(id, sinceMs);
	const { data } = query;
	const hasStopped = lookEveryMs(useServerNow(STEP_MS) - sinceMs) === false;
	function lookNow() {
		setSince(serverNowMs());
		void query.refetch();
	}
	return (
		<Page
			title={data ? topUpTexts.title(moneyText(data.amount)) : pageNames.topUps}
			lead={<BackLink href="/top-ups">{topUpTexts.all}</BackLink>}
		>
			<Answered query={query}>
				{(payment) => (
					<Columns least={430}>
						<Section title={paymentTexts.state} lead={topUpTexts.whatCounts(PROVIDER_TITLES[payment.provider])}>
							{/* It is there before its text changes, so that the text is read aloud. */}
							<Stack gap="sm" align="flex-start" role="status">
								<OutcomeBadge payment={payment} />
								<Told payment={payment} hasStopped={hasStopped} />
							</Stack>
							<Next payment={payment} onLook={hasStopped ? lookNow : undefined} />
						</Section>
						<Section title={topUpTexts.facts}>
							<PaymentFacts payment={payment} />
						</Section>
					</Columns>
				)}
			</Answered>
		</Page>
	);
}

interface ToldProps {
	readonly payment: TopUp;
	/** Whether the page does not look by itself any more. */
	readonly hasStopped: boolean;
}

/** How the payment stands, in a sentence or two. */
function Told({ payment, hasStopped }: ToldProps) {
	const wentBack = payment.refunded + payment.disputed;
	return (
		<>
			<Text>{sentenceOf(payment)}</Text>
			{mayGetMoney(payment) && <Text size="sm">{hasStopped ? topUpTexts.looksNoMore : topUpTexts.looks}</Text>}
			{payment.credited > 0 && wentBack > 0 && <Text>{topUpTexts.wentBack(moneyText(wentBack))}</Text>}
			{payment.credited > 0 && <Balance />}
		</>
	);
}

function sentenceOf(payment: TopUp): string {
	const { provider, amount, credited } = payment;
	const title = PROVIDER_TITLES[provider];
	const outcome = outcomeOf(payment);
	switch (outcome) {
		case 'creating':
		case 'open':
			return topUpTexts.waits[outcome](title);
		case 'processing':
			return topUpTexts.waits.processing[provider];
		case 'credited':
			return topUpTexts.credited(moneyText(credited));
		case 'credited_in_part':
			return topUpTexts.creditedInPart(moneyText(amount), moneyText(credited));
		case 'taken_back':
			return topUpTexts.takenBack;
		case 'not_credited':
			return topUpTexts.notCredited;
		case 'not_paid':
			return topUpTexts.notPaid[provider];
		case 'not_made':
			return topUpTexts.notMade(title);
	}
}

/** The balance that was read after the money had arrived. */
function Balance() {
	const { data, isFetchedAfterMount } = useRead('/overview', {}, { staleMs: 0 });
	if (!data || !isFetchedAfterMount) return null;
	return <Text>{topUpTexts.balance(moneyText(data.balance))}</Text>;
}

/** What the person can do next. */
function Next({ payment, onLook }: { readonly payment: TopUp; readonly onLook: (() => void) | undefined }) {
	const url = payUrl(payment.url);
	const look = onLook && (
		<Button variant="default" w="fit-content" onClick={onLook}>
			{topUpTexts.lookNow}
		</Button>
	);
	if (!isWaiting(payment)) {
		const isOver = payment.credited === 0;
		return (
			<>
				{mayGetMoney(payment) && look}
				<Anchor component={Link} href={isOver ? '/top-ups' : '/statement'} size="sm" w="fit-content">
					{isOver ? topUpTexts.another : topUpTexts.statement}
				</Anchor>
			</>
		);
	}
	if (url === undefined && !onLook) return null;
	return (
		<>
			{url !== undefined && <Text size="sm">{topUpTexts.toPay}</Text>}
			<Group gap="sm">
				{url !== undefined && (
					<Button component="a" href={url}>
						{paymentTexts.continue(PROVIDER_TITLES[payment.provider])}
					</Button>
				)}
				{look}
			</Group>
		</>
	);
}

function PaymentFacts({ payment }: { readonly payment: TopUp }) {
	const { id, provider, amount, credited, refunded, disputed, timestamp, expires_at } = payment;
	return (
		<Facts
			as="lines"
			facts={[
				{ name: paymentTexts.amount, value: moneyText(amount) },
				{ name: paymentTexts.credited, value: moneyText(credited) },
				...(refunded > 0 ? [{ name: paymentTexts.refunded, value: moneyText(refunded) }] : []),
				...(disputed > 0 ? [{ name: paymentTexts.disputed, value: moneyText(disputed) }] : []),
				{ name: paymentTexts.provider, value: PROVIDER_TITLES[provider] },
				{ name: paymentTexts.begun, value: <Moment at={timestamp} /> },
				...(isWaiting(payment) && payment.state !== 'processing' && expires_at !== null
					? [{ name: paymentTexts.until, value: <Moment at={expires_at} /> }]
					: []),
				{ name: paymentTexts.id, value: <Name>{id}</Name> },
			]}
		/>
	);
}
