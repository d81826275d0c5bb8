import { Group, Paper } from '@mantine/core';
import { CreateReseller } from '../features/resellers/components/create-reseller.tsx';
import { InvitePerson } from '../features/resellers/components/invite-person.tsx';
import { ResellersList } from '../features/resellers/components/resellers-list.tsx';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';
import { resellerTexts } from '../texts/resellers.ts';

/** All resellers, for operators. */
export function Resellers() {
	return (
		<Page
			title={frameTexts.resellers}
			lead={resellerTexts.lead}
			actions={
				<Group gap="xs">
					<CreateReseller />
					<InvitePerson reseller={null}>{resellerTexts.inviteOperator}</InvitePerson>
				</Group>
			}
		>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<ResellersList />
			</Paper>
		</Page>
	);
}
