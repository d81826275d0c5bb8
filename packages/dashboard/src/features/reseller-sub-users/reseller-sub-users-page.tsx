import { BackLink, Page } from '../../page/page.tsx';
import { resellerPath } from '../../page/paths.ts';
import { SubUserList } from '../sub-users/sub-user-list.tsx';
import { resellerSubUserTexts as texts } from './texts.ts';

/** The sub-users of a reseller, for operators. They change nothing about them. */
export function ResellerSubUsersPage({ reseller }: { readonly reseller: string }) {
	return (
		<Page title={texts.pageTitle(reseller)} lead={<BackLink href={resellerPath(reseller)}>{reseller}</BackLink>}>
			<SubUserList reseller={reseller} lead={() => texts.lead} none={texts.none} />
		</Page>
	);
}
