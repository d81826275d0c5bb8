import { CallError } from '../api/call.ts';
import { BandwidthSection } from '../features/bandwidth/components/bandwidth-section.tsx';
import { useSubUser } from '../features/sub-users/api/use-sub-user.ts';
import { BalancePlaceholder, BalanceSection } from '../features/sub-users/components/balance-section.tsx';
import { KeySection } from '../features/sub-users/components/key-section.tsx';
import { MovementsSection } from '../features/sub-users/components/movements-section.tsx';
import { Answered } from '../frame/answered.tsx';
import { BackLink } from '../frame/back-link.tsx';
import { DownloadButton } from '../frame/download-button.tsx';
import { Page } from '../frame/page.tsx';
import { bandwidthTexts } from '../texts/bandwidth.ts';
import { subUserTexts } from '../texts/sub-users.ts';

const DAYS = 90;

/** One sub-user of a reseller. */
export function SubUser({ username }: { readonly username: string }) {
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
