import type { SubUserOfResellerDetails } from '@bursar/contract/dashboard';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { SearchedPages } from '../../lists/searched-pages.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Facts } from '../../page/facts.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { activityOfPath, resellerPath, resellerSubUsersPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { BandwidthSection } from '../bandwidth/bandwidth-section.tsx';
import { bandwidthFields } from '../bandwidth/bandwidth-state.ts';
import { CorrectDay } from '../corrections/correct-day.tsx';
import { RefusalsSection } from '../refusals/refusals-section.tsx';
import { Addresses } from '../sign-in-address/addresses-section.tsx';
import { signInAddressTexts } from '../sign-in-address/texts.ts';
import { MovementsTable } from '../statement/movements-table.tsx';
import { statementTexts } from '../statement/texts.ts';
import { rowsOfStatement, useStatement } from '../statement/use-statement.ts';
import { DeletedSection } from '../terms/deleted-section.tsx';
import { LimitsList } from '../terms/limits-list.tsx';
import { OpeningState } from '../terms/state-mark.tsx';
import { resellerSubUserTexts as texts } from './texts.ts';

const READ_EVERY_MS = 10_000;
const ACCOUNT_HEIGHT = 180;

interface Props {
	readonly reseller: string;
	readonly username: string;
}

/** One sub-user of a reseller, or what is left of it, for operators. They change nothing about it but its bandwidth. */
export function ResellerSubUserPage(account: Props) {
	const { reseller, username } = account;
	const query = useRead('/operator/sub-user', account, { everyMs: READ_EVERY_MS });
	return (
		<Page
			title={username}
			lead={<BackLink href={resellerSubUsersPath(reseller)}>{texts.pageTitle(reseller)}</BackLink>}
		>
			<Answered query={query} skeleton={<Placeholder height={ACCOUNT_HEIGHT} />}>
				{(details) => (
					<>
						<AccountSections details={details} />
						<BandwidthPart {...account} />
						<TransactionsSection {...account} />
					</>
				)}
			</Answered>
		</Page>
	);
}

function AccountSections({ details }: { readonly details: SubUserOfResellerDetails }) {
	if (details.deleted !== null) return <DeletedSection deleted={details} said="" />;
	const { state, balance, created, last_seen: lastSeen, limits, used, sign_in_ips: ips, refusals } = details;
	return (
		<>
			<Section title={texts.account} lead={`${texts.states[state]} ${texts.accountLead}`}>
				<Facts
					facts={[
						{ name: texts.state, value: <OpeningState state={state} opens={details.opens} /> },
						{ name: texts.balance, value: <b>{moneyText(balance)}</b> },
						{ name: texts.lastSeen, value: lastSeen === null ? texts.never : <Ago at={lastSeen} /> },
						{ name: texts.created, value: <Moment at={created} /> },
					]}
				/>
			</Section>
			<RefusalsSection refusals={refusals} />
			<Section title={texts.limits} lead={texts.limitsLead}>
				<LimitsList limits={limits} used={used} />
			</Section>
			{ips.length > 0 && (
				<Section title={signInAddressTexts.title} lead={signInAddressTexts.lead}>
					<Addresses ips={ips} />
				</Section>
			)}
		</>
	);
}

const fields = bandwidthFields('30d', []);

function BandwidthPart(account: Props) {
	const [state, change] = useUrlState(fields);
	return (
		<BandwidthSection whose={{ kind: 'reseller', ...account }} divisions={[]} state={state} onChange={change}>
			<CorrectDay account={account} />
		</BandwidthSection>
	);
}

function TransactionsSection({ reseller, username }: Props) {
	const query = useStatement({ reseller, filter: { username } });
	return (
		<Section
			title={texts.transactions}
			lead={texts.transactionsLead}
			actions={
				<Group gap="4px 12px">
					<Anchor component={Link} href={activityOfPath(username)} size="sm">
						{texts.toActivity}
					</Anchor>
					<Anchor
						component={Link}
						href={`${resellerPath(reseller)}?sub_user=${encodeURIComponent(username)}`}
						size="sm"
					>
						{texts.toStatement}
					</Anchor>
				</Group>
			}
		>
			<SearchedPages
				query={query}
				skeleton={<Placeholder height={120} />}
				rowsOf={rowsOfStatement}
				nothingYet={statementTexts.nothingYet}
				nothing={texts.noTransactions}
			>
				{(rows) => <MovementsTable rows={rows} perspective="sub_user" />}
			</SearchedPages>
		</Section>
	);
}
