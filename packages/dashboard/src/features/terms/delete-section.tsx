import { ActButton } from '../../acts/act-button.tsx';
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
						<ActButton color="red" variant="outline" onClick={open}>
							{termsTexts.delete}
						</ActButton>
					)}
				/>
			}
		/>
	);
}
