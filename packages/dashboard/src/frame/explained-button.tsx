import { Button, type ButtonProps, Stack, Text } from '@mantine/core';
import { useId } from 'react';

interface Props extends ButtonProps {
	/** Why it cannot be used now. */
	readonly reason?: string | undefined;
	readonly 'aria-label'?: string;
	readonly onClick: () => void;
}

/** A button that says why it is disabled. It can have the focus meanwhile, so that the reason is read aloud. */
export function ExplainedButton({ reason, onClick, ...props }: Props) {
	const reasonId = useId();
	if (reason === undefined) return <Button {...props} onClick={onClick} />;
	return (
		<Stack gap={6} align="flex-start">
			<Button {...props} data-disabled aria-disabled aria-describedby={reasonId} />
			<Text id={reasonId} size="sm" c="dimmed">
				{reason}
			</Text>
		</Stack>
	);
}
