import { useReseller } from '../features/resellers/api/use-reseller.ts';
import { AccountSection } from '../features/resellers/components/account-section.tsx';
import { PeopleSection } from '../features/resellers/components/people-section.tsx';
import { TokensSection } from '../features/resellers/components/tokens-section.tsx';
import { StatementList } from '../features/statement/components/statement-list.tsx';
import { browserZone } from '../format/days.ts';
import { Answered } from '../frame/answered.tsx';
import { BackLink } from '../frame/back-link.tsx';
import { Page } from '../frame/page.tsx';
import { Section } from '../frame/section.tsx';
import { frameTexts } from '../texts/frame.ts';
import { resellerTexts } from '../texts/resellers.ts';

/** One reseller, for operators. */
export function Reseller({ reseller }: { readonly reseller: string }) {
	const query = useReseller(reseller);
	return (
		<Page title={reseller} lead={<BackLink href="/resellers">{resellerTexts.all}</BackLink>}>
			<Answered query={query}>
				{(details) => (
					<>
						<AccountSection details={details} />
						<TokensSection reseller={details.reseller} tokens={details.tokens} />
						<PeopleSection reseller={details.reseller} people={details.people} />
						<Section title={frameTexts.statement} lead={resellerTexts.statementLead(browserZone())}>
							<StatementList reseller={details.reseller} />
						</Section>
					</>
				)}
			</Answered>
		</Page>
	);
}
