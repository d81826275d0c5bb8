import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { CallError } from '../../calls/call.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { SearchedPages } from '../../lists/searched-pages.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { BandwidthSection } from '../bandwidth/bandwidth-section.tsx';
import { bandwidthTexts } from '../bandwidth/texts.ts';
import { MovementsTable } from '../statement/movements-table.tsx';
import { statementTexts } from '../statement/texts.ts';
import { useStatement } from '../statement/use-statement.ts';
import { BalancePlaceholder, BalanceSection } from './balance-section.tsx';
import { KeySection } from './key-section.tsx';
import { subUserTexts } from './texts.ts';
import { useSubUser } from './use-sub-users.ts';

const DAYS = 90;

/** One sub-user of a reseller. */
export function SubUserPage({ username }: { readonly username: string }) {
	const query = useSubUser(username);
	const isUnknown = query.error instanceof CallError && query.error.code === 'unknown_sub_user';
	return (
		<Page title={username} lead={<BackLink href="/sub-users">{subUserTexts.all}</BackLink>}>
			<Answered query={query} skeleton={<BalancePlaceholder />}>
				{(details) => <BalanceSection details={details} />}
			</Answered>
			{!isUnknown && (
				<>
					<BandwidthSection
						days={DAYS}
						username={username}
						actions={
							<DownloadButton path="/bandwidth.csv" query={{ username }} hasTimes={false}>
								{bandwidthTexts.csv}
							</DownloadButton>
						}
					/>
					<KeySection username={username} />
					<MovementsSection username={username} />
				</>
			)}
		</Page>
	);
}

/** What was given to a sub-user and taken from it, the newest first. The statement has all of it, page by page. */
function MovementsSection({ username }: { readonly username: string }) {
	const query = useStatement({ filter: { username } });
	return (
		<Section
			title={subUserTexts.movements}
			lead={subUserTexts.movementsLead}
			actions={
				<Anchor component={Link} href={`/statement?sub_user=${encodeURIComponent(username)}`} size="sm">
					{subUserTexts.toStatement}
				</Anchor>
			}
		>
			<SearchedPages
				query={query}
				skeleton={<Placeholder height={120} />}
				rowsOf={({ movements }) => movements}
				nothingYet={statementTexts.nothingYet}
				nothing={subUserTexts.noMovements}
			>
				{(movements) => <MovementsTable movements={movements} perspective="sub_user" />}
			</SearchedPages>
		</Section>
	);
}
