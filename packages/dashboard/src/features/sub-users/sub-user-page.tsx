import { Anchor, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { CallError } from '../../calls/call.ts';
import { useRead } from '../../calls/use-read.ts';
import { SearchedPages } from '../../lists/searched-pages.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { activityOfPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { BandwidthSection } from '../bandwidth/bandwidth-section.tsx';
import { bandwidthFields } from '../bandwidth/bandwidth-state.ts';
import { RefusalsSection } from '../refusals/refusals-section.tsx';
import { AddressesSection } from '../sign-in-address/addresses-section.tsx';
import { MovementsTable } from '../statement/movements-table.tsx';
import { statementTexts } from '../statement/texts.ts';
import { rowsOfStatement, useStatement } from '../statement/use-statement.ts';
import { DeleteSection } from '../terms/delete-section.tsx';
import { DeletedSection } from '../terms/deleted-section.tsx';
import { LimitsSection } from '../terms/limits-section.tsx';
import { StateSection } from '../terms/state-section.tsx';
import { useSubUser } from '../terms/use-sub-user.ts';
import { BalancePlaceholder, BalanceSection } from './balance-section.tsx';
import { KeySection } from './key-section.tsx';
import { subUserTexts } from './texts.ts';

const fields = bandwidthFields('90d', []);

/** One sub-user of a reseller, or what is left of one that was deleted. */
export function SubUserPage({ username }: { readonly username: string }) {
	const query = useSubUser(username);
	const isUnknown = query.error instanceof CallError && query.error.code === 'unknown_sub_user';
	const deleted = useRead('/deleted-sub-user', { username }, { enabled: isUnknown });
	const [said, setSaid] = useState('');
	return (
		<Page title={username} lead={<BackLink href="/sub-users">{subUserTexts.all}</BackLink>}>
			{isUnknown ? (
				<Answered query={deleted} skeleton={<BalancePlaceholder />}>
					{(ended) => (
						<>
							<DeletedSection deleted={ended} said={said} />
							<BandwidthOf username={username} />
							<MovementsSection username={username} />
						</>
					)}
				</Answered>
			) : (
				<>
					<Answered query={query} skeleton={<BalancePlaceholder />}>
						{(details) => (
							<>
								<Columns least={430}>
									<BalanceSection details={details} />
									<StateSection details={details} />
								</Columns>
								<Columns least={430} wide="first">
									<LimitsSection details={details} />
									<IfMay path="/sub-users/show-key">
										<KeySection username={username} />
									</IfMay>
								</Columns>
								<AddressesSection details={details} />
								<RefusalsSection refusals={details.refusals} />
							</>
						)}
					</Answered>
					<BandwidthOf username={username} />
					<MovementsSection username={username} />
					<IfMay path="/sub-users/delete">
						{query.data && <DeleteSection details={query.data} onDone={setSaid} />}
					</IfMay>
				</>
			)}
		</Page>
	);
}

function BandwidthOf({ username }: { readonly username: string }) {
	const [state, change] = useUrlState(fields);
	return <BandwidthSection whose={{ kind: 'own', username }} divisions={[]} state={state} onChange={change} />;
}

/** What was given to a sub-user and taken from it, the newest first. The statement has all of it, page by page. */
function MovementsSection({ username }: { readonly username: string }) {
	const query = useStatement({ filter: { username } });
	return (
		<Section
			title={subUserTexts.movements}
			lead={subUserTexts.movementsLead}
			actions={
				<Group gap="4px 12px">
					<Anchor component={Link} href={activityOfPath(username)} size="sm">
						{subUserTexts.toActivity}
					</Anchor>
					<Anchor component={Link} href={`/statement?sub_user=${encodeURIComponent(username)}`} size="sm">
						{subUserTexts.toStatement}
					</Anchor>
				</Group>
			}
		>
			<SearchedPages
				query={query}
				skeleton={<Placeholder height={120} />}
				rowsOf={rowsOfStatement}
				nothingYet={statementTexts.nothingYet}
				nothing={subUserTexts.noMovements}
			>
				{(rows) => <MovementsTable rows={rows} perspective="sub_user" />}
			</SearchedPages>
		</Section>
	);
}
