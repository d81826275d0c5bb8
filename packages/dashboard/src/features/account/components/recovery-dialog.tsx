import { Stack, Text } from '@mantine/core';
import { Dialog } from '../../../frame/dialog.tsx';
import { factorTexts } from '../../../texts/factors.ts';
import { RecoveryCodes } from '../../factors/components/recovery-codes.tsx';

interface Props {
	/** Empty if there are none to show. */
	readonly codes: readonly string[];
	readonly onStored: () => void;
}

/** Shows new recovery codes once. Only the button that says that they are stored closes it. */
export function RecoveryDialog({ codes, onStored }: Props) {
	return (
		<Dialog
			opened={codes.length > 0}
			onClose={() => {}}
			withCloseButton={false}
			title={factorTexts.recoveryTitle}
			transitionProps={{ exitDuration: 0 }}
		>
			<Stack>
				<Text size="sm">{factorTexts.recoveryLead}</Text>
				<RecoveryCodes codes={codes} onStored={onStored} />
			</Stack>
		</Dialog>
	);
}
