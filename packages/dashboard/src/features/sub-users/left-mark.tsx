import type { PricePerGb } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { isLow } from './left.ts';
import { subUserTexts } from './texts.ts';

interface Props {
	/** USD cents. */
	readonly balance: number;
	readonly price: PricePerGb;
}

/** Says that an account has less than a GB left. Whether it has anything left is its state. */
export function LeftMark({ balance, price }: Props) {
	if (!isLow(balance, price)) return null;
	return (
		<Text span size="sm" fw={600} c="dimmed">
			{subUserTexts.low}
		</Text>
	);
}
