import { Alert, Button, Stack, Text } from '@mantine/core';
import type { FailureText } from '../texts/failures.ts';
import { frameTexts } from '../texts/frame.ts';

interface Props {
	readonly text: FailureText;
	/** Offers to try again. */
	readonly retry?: (() => void) | undefined;
}

/** Says what happened and what to do. Screen readers read it aloud when it appears. */
export function FailureNote({ text: { happened, todo }, retry }: Props) {
	return (
		<Alert role="alert" color="red" title={happened}>
			<Stack align="flex-start" gap="sm">
				<Text size="sm">{todo}</Text>
				{retry && (
					<Button size="xs" variant="default" onClick={retry}>
						{frameTexts.retry}
					</Button>
				)}
			</Stack>
		</Alert>
	);
}
