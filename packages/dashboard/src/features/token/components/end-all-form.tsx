import { Button, Group, Stack, Text } from '@mantine/core';
import { Failure } from '../../../frame/failure.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { tokenTexts } from '../../../texts/token.ts';
import type { TokenChange } from '../api/use-token-change.ts';
import classes from './token.module.css';

interface Props {
	readonly change: TokenChange;
	readonly onSend: () => void;
	readonly onCancel: () => void;
}

/** Says what will break, and ends all tokens. */
export function EndAllForm({ change, onSend, onCancel }: Props) {
	return (
		<Stack gap="lg">
			<Stack gap="xs">
				<Text size="sm" fw={600}>
					{tokenTexts.endAllBreaks}
				</Text>
				<ul className={classes.effects}>
					{tokenTexts.endAllEffects.map((effect) => (
						<li key={effect}>{effect}</li>
					))}
				</ul>
			</Stack>
			<Failure error={change.failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={change.isBusy} onClick={onCancel} data-autofocus>
					{frameTexts.cancel}
				</Button>
				<Button color="red" loading={change.isBusy} onClick={onSend}>
					{tokenTexts.endAll}
				</Button>
			</Group>
		</Stack>
	);
}
