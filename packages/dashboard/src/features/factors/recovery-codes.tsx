import { Stack } from '@mantine/core';
import { Copyable } from '../../secrets/copyable.tsx';
import { useLeaveGuard } from '../../secrets/leave-guard.ts';
import { StoredButton } from '../../secrets/secret-panel.tsx';
import { factorTexts } from './texts.ts';

interface Props {
	readonly codes: readonly string[];
	/** The person says that the codes are stored. They are not shown again. */
	readonly onStored: () => void;
}

/** Recovery codes, shown once. Until they are stored, the browser asks before it leaves the page. */
export function RecoveryCodes({ codes, onStored }: Props) {
	useLeaveGuard({ isOn: true, onTry: () => {}, onLeave: onStored });
	return (
		<Stack gap="xl">
			<Copyable text={codes.join('\n')} label={factorTexts.recoveryLabel} />
			<StoredButton onStored={onStored}>{factorTexts.recoveryStored}</StoredButton>
		</Stack>
	);
}
