import type { OperatorTopUp } from '@bursar/contract/payment-schemas';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { Alert, Anchor, List } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Facts } from '../../page/facts.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { resellerPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { findingTexts, paymentsTexts } from './operator-texts.ts';
import { isWaiting } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { ReadAgain } from './read-again.tsx';
import { paymentTexts } from './texts.ts';

const EVERY_MS = 15_000;

/** One payment of a reseller through a provider, for operators. */
export function PaymentPage({ id }: { readonly id: string }) {
	const query = useRead('/operator/payment', { id }, { everyMs: EVERY_MS });
	const { data } = query;
	return (
		<Page
			title={data ? paymentsTexts.title(data.username) : pageNames.payments}
			lead={<BackLink href="/payments">{paymentsTexts.allPayments}</BackLink>}
		>
			<Answered query={query}>
				{(payment) => (
					<>
						<Findings payment={payment} />
						<Columns least={430}>
							<AmountsSection payment={payment} />
							<ProviderSection payment={payment} />
						</Columns>
					</>
				)}
			</Answered>
		</Page>
	);
}

interface Props {
	readonly payment: OperatorTopUp;
}

function Findings({ payment: { findings } }: Props) {
	if (findings.length === 0) return null;
	return (
		<Alert role="status" color="yellow" title={paymentsTexts.doesNotFit}>
			<List size="sm">
				{findings.map((finding) => (
					<List.Item key={finding}>
						{findingTexts[finding].means} {findingTexts[finding].todo}
					</List.Item>
				))}
			</List>
		</Alert>
	);
}

function AmountsSection({ payment }: Props) {
	const { username, amount, settled, refunded, disputed, credited } = payment;
	return (
		<Section
			title={paymentsTexts.amounts}
			lead={paymentsTexts.amountsLead}
			actions={<OutcomeBadge payment={payment} />}
			footer={
				<Anchor component={Link} href={resellerPath(username)} size="sm">
					{paymentsTexts.statement}
				</Anchor>
			}
		>
			<Facts
				as="lines"
				facts={[
					{ name: paymentsTexts.asked, value: moneyText(amount) },
					{ name: paymentsTexts.settled, value: moneyText(settled) },
					{ name: paymentTexts.refunded, value: moneyText(-refunded) },
					{ name: paymentTexts.disputed, value: moneyText(-disputed) },
					{ name: paymentsTexts.booked, value: moneyText(credited), isSum: true },
				]}
			/>
		</Section>
	);
}

function ProviderSection({ payment }: Props) {
	const { id, provider, is_test, object_id, timestamp, expires_at, read_at, failed_reads, next_read_at } = payment;
	const isPayable = isWaiting(payment) && payment.state !== 'processing';
	return (
		<Section
			title={paymentsTexts.atProvider}
			lead={paymentsTexts.atProviderLead}
			footer={<ReadAgain payment={payment} />}
		>
			<Facts
				as="lines"
				facts={[
					{
						name: paymentTexts.provider,
						value: PROVIDER_TITLES[provider] + (is_test ? ` · ${paymentTexts.test}` : ''),
					},
					{ name: paymentTexts.id, value: <Name>{id}</Name> },
					{ name: paymentsTexts.object, value: object_id === null ? paymentsTexts.noObject : <Name>{object_id}</Name> },
					{ name: paymentTexts.begun, value: <Moment at={timestamp} /> },
					...(expires_at === null || !isPayable
						? []
						: [{ name: paymentTexts.until, value: <Moment at={expires_at} /> }]),
					{ name: paymentsTexts.lastRead, value: read_at === null ? paymentsTexts.neverRead : <Ago at={read_at} /> },
					...(failed_reads === 0 ? [] : [{ name: paymentsTexts.failed, value: numberText(failed_reads) }]),
					{
						name: paymentsTexts.nextRead,
						value: next_read_at === null ? paymentsTexts.notByItself : <Moment at={next_read_at} />,
					},
				]}
			/>
		</Section>
	);
}
