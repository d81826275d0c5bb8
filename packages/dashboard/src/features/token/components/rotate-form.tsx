import { Radio, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Radio.css';
import { DialogForm } from '../../../frame/dialog-form.tsx';
import { tokenTexts } from '../../../texts/token.ts';
import type { OverlapSeconds, TokenChange } from '../api/use-token-change.ts';

const OVERLAPS: readonly OverlapSeconds[] = [0, 60, 240];

interface Props {
	readonly change: TokenChange;
	readonly onChoose: (overlapSeconds: OverlapSeconds) => void;
	readonly onSend: () => void;
	readonly onCancel: () => void;
}

/** Asks how long the previous token shall live. */
export function RotateForm({ change, onChoose, onSend, onCancel }: Props) {
	return (
		<DialogForm
			change={{ isBusy: change.isBusy, failure: change.failure, close: onCancel }}
			onSubmit={onSend}
			action={tokenTexts.rotateNow}
		>
			<Text size="sm">{tokenTexts.rotateIntro}</Text>
			<Radio.Group
				label={tokenTexts.overlap}
				value={String(change.overlapSeconds)}
				onChange={(value) => onChoose(Number(value) as OverlapSeconds)}
			>
				<Stack gap="sm" mt="xs">
					{OVERLAPS.map((seconds) => (
						<Radio
							key={seconds}
							value={String(seconds)}
							label={tokenTexts.overlaps[seconds]}
							description={tokenTexts.overlapHints[seconds]}
							disabled={change.isBusy}
							data-autofocus={seconds === change.overlapSeconds || undefined}
						/>
					))}
				</Stack>
			</Radio.Group>
		</DialogForm>
	);
}
