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
	const isDisabled = reason !== undefined;
	// The button stays the same element, so that a dialog can give the focus back to it.
	return (
		<Stack gap={6} align="flex-start">
			<Button
				{...props}
				{...(isDisabled ? { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': reasonId } : { onClick })}
			/>
			{isDisabled && (
				<Text id={reasonId} size="sm" c="dimmed">
					{reason}
				</Text>
			)}
		</Stack>
	);
}
