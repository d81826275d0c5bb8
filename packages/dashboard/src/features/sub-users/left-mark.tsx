import type { PricePerGb } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { runsOut } from './left.ts';
import { subUserTexts } from './texts.ts';

interface Props {
	/** USD cents. */
	readonly balance: number;
	readonly price: PricePerGb;
}

/** Says that an account ran out, or has less than a GB left. */
export function LeftMark({ balance, price }: Props) {
	const state = runsOut(balance, price);
	if (!state) return null;
	return (
		<Text span size="sm" fw={600} c={state === 'ran_out' ? 'var(--mantine-color-error)' : 'dimmed'}>
			{subUserTexts.leftMarks[state]}
		</Text>
	);
}
