import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useTakesPayments } from '../../calls/presence.ts';
import { browserZone } from '../../format/days.ts';
import { moneyText } from '../../format/money.ts';
import { useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Figure } from '../../page/figure.tsx';
import { Moment } from '../../page/moment.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { resellerPaymentsPath, resellerSubUsersPath, resellerWebhooksPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { BandwidthSection } from '../bandwidth/bandwidth-section.tsx';
import { bandwidthFields } from '../bandwidth/bandwidth-state.ts';
import { PeopleSection } from '../people/people-list.tsx';
import { MonthsButton, StatementList } from '../statement/statement-page.tsx';
import { statementTexts } from '../statement/texts.ts';
import { StateMark } from '../terms/state-mark.tsx';
import { termsTexts } from '../terms/texts.ts';
import { DebtPart } from './debt-part.tsx';
import { NoteSection } from './note-section.tsx';
import { PaymentButton } from './payment-button.tsx';
import { PriceSection } from './price-section.tsx';
import { SignInSection } from './sign-in-section.tsx';
import { SuspensionSection } from './suspension-section.tsx';
import { resellerTexts } from './texts.ts';
import { TokensSection } from './tokens-section.tsx';
import { useReseller } from './use-reseller.ts';

/** One reseller, for operators. */
export function ResellerPage({ reseller }: { readonly reseller: string }) {
	const query = useReseller(reseller);
	return (
		<Page title={reseller} lead={<BackLink href="/resellers">{resellerTexts.all}</BackLink>}>
			<Answered query={query}>
				{(details) => (
					<>
						<DebtPart details={details} />
						<Columns least={430}>
							<AccountSection details={details} />
							<SuspensionSection details={details} />
						</Columns>
						<Columns least={280}>
							<NoteSection details={details} />
							<SubUsersSection reseller={details.reseller} />
							<WebhooksSection reseller={details.reseller} />
							<SignInSection details={details} />
						</Columns>
						<BandwidthPart reseller={details.reseller} />
						<Columns least={430}>
							<PriceSection details={details} />
							<TokensSection reseller={details.reseller} tokens={details.tokens} />
						</Columns>
						<PeopleSection reseller={details.reseller} people={details.people} />
						<Section
							title={pageNames.statement}
							lead={statementLead(details)}
							actions={<MonthsButton reseller={details.reseller} />}
						>
							<StatementList reseller={details.reseller} />
						</Section>
					</>
				)}
			</Answered>
		</Page>
	);
}

const DIVISIONS = ['sub_user', 'edge'] as const;
const fields = bandwidthFields('30d', DIVISIONS);

function BandwidthPart({ reseller }: { readonly reseller: string }) {
	const [state, change] = useUrlState(fields);
	return (
		<BandwidthSection whose={{ kind: 'reseller', reseller }} divisions={DIVISIONS} state={state} onChange={change} />
	);
}

/** Leads to the sub-users. They may be many. */
function SubUsersSection({ reseller }: { readonly reseller: string }) {
	return (
		<Section
			title={resellerTexts.subUsers}
			lead={resellerTexts.subUsersLead}
			footer={
				<Anchor component={Link} href={resellerSubUsersPath(reseller)} size="sm">
					{resellerTexts.showSubUsers}
				</Anchor>
			}
		/>
	);
}

/** Leads to the webhooks. */
function WebhooksSection({ reseller }: { readonly reseller: string }) {
	return (
		<Section
			title={pageNames.webhooks}
			lead={resellerTexts.webhooksLead}
			footer={
				<Anchor component={Link} href={resellerWebhooksPath(reseller)} size="sm">
					{resellerTexts.showWebhooks}
				</Anchor>
			}
		/>
	);
}

function statementLead({ prices }: ResellerDetails): string {
	const lead = resellerTexts.statementLead(browserZone());
	return (prices[0]?.price ?? null) === null ? lead : `${lead} ${statementTexts.notPostedYet}`;
}

/** The account of a reseller, and what an operator does with its money. */
function AccountSection({ details }: { readonly details: ResellerDetails }) {
	const takesPayments = useTakesPayments();
	return (
		<Section
			title={resellerTexts.balance}
			lead={
				<>
					{resellerTexts.created} <Moment at={details.created} />
				</>
			}
			actions={
				<Group gap="xs">
					<PaymentButton path="/operator/adjust" details={details} variant="default">
						{resellerTexts.payTexts['/operator/adjust']}
					</PaymentButton>
					<PaymentButton path="/operator/top-up" details={details}>
						{resellerTexts.payTexts['/operator/top-up']}
					</PaymentButton>
				</Group>
			}
			footer={
				takesPayments && (
					<Anchor component={Link} href={resellerPaymentsPath(details.reseller)} size="sm">
						{resellerTexts.showPayments}
					</Anchor>
				)
			}
		>
			<Figure
				note={
					details.pair && (
						<>
							{termsTexts.ownPair} <StateMark state={details.pair} />
						</>
					)
				}
			>
				{moneyText(details.balance)}
			</Figure>
		</Section>
	);
}
