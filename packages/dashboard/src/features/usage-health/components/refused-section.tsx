import type { UsageHealthDay } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { Item, ItemList } from '../../../frame/item.tsx';
import { Section } from '../../../frame/section.tsx';
import { usageTexts } from '../../../texts/usage.ts';
import { refusedReasons } from '../refused-reasons.ts';

/** Why reports were refused, and what to do. */
export function RefusedSection({ days }: { readonly days: readonly UsageHealthDay[] }) {
	const reasons = refusedReasons(days);
	if (reasons.length === 0) {
		return (
			<Section title={usageTexts.refused}>
				<Text size="sm">{usageTexts.nothingRefused}</Text>
			</Section>
		);
	}
	return (
		<Section title={usageTexts.refused} lead={usageTexts.refusedLead}>
			<ItemList>
				{reasons.map(({ reason, reports }) => {
					const { means, todo } = reasonTexts(reason);
					return (
						<Item
							key={reason}
							name={
								<>
									<code>{reason}</code> · {usageTexts.times(reports)}
								</>
							}
							details={
								<>
									<Text size="sm" c="var(--mantine-color-text)">
										{means}
									</Text>
									{todo}
								</>
							}
						/>
					);
				})}
			</ItemList>
		</Section>
	);
}

function reasonTexts(reason: string) {
	return (Object.hasOwn(usageTexts.reasons, reason) && usageTexts.reasons[reason]) || usageTexts.unknownReason;
}
