import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Button } from '@mantine/core';
import { Section } from '../../page/section.tsx';
import { DeleteDialog, useDeleting } from './delete-dialog.tsx';
import { lifeTexts } from './texts.ts';

interface Props {
	readonly details: SubUserDetails;
	/** Called with what can be said once it is deleted. */
	readonly onDeleted: (text: string) => void;
}

/** Ends a sub-user for ever. */
export function DeleteSection({ details, onDeleted }: Props) {
	const deleting = useDeleting(details.username, onDeleted);
	return (
		<Section
			title={lifeTexts.deleteSection}
			lead={lifeTexts.deleteLead}
			isDangerous
			actions={
				<Button color="red" variant="outline" onClick={deleting.act.open}>
					{lifeTexts.delete}
				</Button>
			}
		>
			<DeleteDialog deleting={deleting} details={details} />
		</Section>
	);
}
