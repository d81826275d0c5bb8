import type { DeletedSubUser } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { focusOnMount } from '../../acts/panel.tsx';
import { Facts } from '../../page/facts.tsx';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { termsTexts } from './texts.ts';

interface Props {
	readonly deleted: DeletedSubUser;
	/** What came back, if it was deleted on this page. Then the title takes the focus, which the dialog had. */
	readonly said: string;
}

/** Says that a sub-user was deleted, and when. */
export function DeletedSection({ deleted: { created, deleted }, said }: Props) {
	return (
		<Section
			title={termsTexts.wasDeleted}
			lead={termsTexts.deletedLead}
			{...(said !== '' && { titleRef: focusOnMount })}
		>
			{said !== '' && (
				<Text size="sm" role="status">
					{said}
				</Text>
			)}
			<Facts
				facts={[
					{ name: termsTexts.createdOn, value: <Moment at={created} /> },
					{ name: termsTexts.deletedOn, value: <Moment at={deleted} /> },
				]}
			/>
		</Section>
	);
}
