import { Button, Text } from '@mantine/core';
import { useId } from 'react';
import { accountTexts } from '../../../texts/account.ts';

interface Props {
	readonly label: string;
	readonly isLastFactor: boolean;
	readonly onClick: () => void;
}

/** Opens the dialog that removes a second factor. An operator's last one stays, and the reason stands beside the button. */
export function RemoveFactor({ label, isLastFactor, onClick }: Props) {
	const reasonId = useId();
	return (
		<>
			{/* It can have the focus while it is disabled, so that its reason is read. */}
			<Button
				size="xs"
				variant="outline"
				color="red"
				aria-label={label}
				data-disabled={isLastFactor || undefined}
				aria-disabled={isLastFactor}
				aria-describedby={isLastFactor ? reasonId : undefined}
				onClick={() => !isLastFactor && onClick()}
			>
				{accountTexts.remove}
			</Button>
			{isLastFactor && (
				<Text id={reasonId} size="sm" c="dimmed">
					{accountTexts.lastFactor}
				</Text>
			)}
		</>
	);
}
