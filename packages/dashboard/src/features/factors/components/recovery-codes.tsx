import { Button, Stack } from '@mantine/core';
import { Copyable } from '../../../frame/copyable.tsx';
import { factorTexts } from '../../../texts/factors.ts';

interface Props {
	readonly codes: readonly string[];
	/** The person says that the codes are stored. They are not shown again. */
	readonly onStored: () => void;
}

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, onStored }: Props) {
	return (
		<Stack gap="xl">
			<Copyable text={codes.join('\n')} label={factorTexts.recoveryLabel} />
			<Button onClick={onStored}>{factorTexts.recoveryStored}</Button>
		</Stack>
	);
}
