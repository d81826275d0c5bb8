import { Button } from '@mantine/core';
import { Section } from '../../page/section.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { lifeTexts } from './texts.ts';
import type { SubUserDialogProps } from './use-sub-users.ts';

/** Ends a sub-user for ever. */
export function DeleteSection(props: Omit<SubUserDialogProps, 'button'>) {
	return (
		<Section
			title={lifeTexts.deleteSection}
			lead={lifeTexts.deleteLead}
			isDangerous
			actions={
				<DeleteDialog
					{...props}
					button={(open) => (
						<Button color="red" variant="outline" onClick={open}>
							{lifeTexts.delete}
						</Button>
					)}
				/>
			}
		/>
	);
}
