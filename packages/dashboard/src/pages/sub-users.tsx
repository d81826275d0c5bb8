import { CreateSubUser } from '../features/sub-users/components/create-sub-user.tsx';
import { SubUsersList } from '../features/sub-users/components/sub-users-list.tsx';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';
import { subUserTexts } from '../texts/sub-users.ts';

/** All sub-users of a reseller. */
export function SubUsers() {
	return (
		<Page title={frameTexts.subUsers} lead={subUserTexts.lead} actions={<CreateSubUser />}>
			<SubUsersList />
		</Page>
	);
}
