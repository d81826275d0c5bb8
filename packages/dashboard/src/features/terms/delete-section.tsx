import { Button } from '@mantine/core';
import { Section } from '../../page/section.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { termsTexts } from './texts.ts';
import type { SubUserDialogProps } from './use-sub-user.ts';

/** Ends a sub-user for ever. */
export function DeleteSection(props: Omit<SubUserDialogProps, 'button'>) {
	return (
		<Section
			title={termsTexts.deleteSection}
			lead={termsTexts.deleteLead}
			isDangerous
			actions={
				<DeleteDialog
					{...props}
					button={(open) => (
						<Button color="red" variant="outline" onClick={open}>
							{termsTexts.delete}
						</Button>
					)}
				/>
			}
		/>
	);
}
