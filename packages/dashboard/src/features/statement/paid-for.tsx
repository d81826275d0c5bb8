import type { PaidUsage } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { bytesText } from '../../format/bytes.ts';
import { priceText } from '../../format/money.ts';
import { Moment } from '../../page/moment.tsx';
import { statementTexts } from './texts.ts';

/** The bandwidth that was paid for. It opens to the bytes of each price. */
export function PaidFor({ usage }: { readonly usage: readonly PaidUsage[] }) {
	const bytes = usage.reduce((sum, each) => sum + each.bytes, 0);
	return (
		<details>
			<summary>{statementTexts.usage(bytesText(bytes))}</summary>
			{usage.map(({ price, since, ...each }) => (
				<Text key={`${price} ${since}`} size="sm" c="dimmed">
					{statementTexts.atPrice(bytesText(each.bytes), priceText(price))} <Moment at={since} />
				</Text>
			))}
		</details>
	);
}
