import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './explained-button.module.css';

interface Props extends ButtonProps {
	/** Why it cannot be used now. */
	readonly reason?: string | undefined;
	/** Another button, which stands before it in the same row. The reason stands below the row. */
	readonly before?: ReactNode;
	readonly 'aria-label'?: string;
	readonly onClick: () => void;
}

/** A button that says why it is disabled. It can have the focus meanwhile, so that the reason is read aloud. */
export function ExplainedButton({ reason, before, onClick, ...props }: Props) {
	const reasonId = useId();
	const isDisabled = reason !== undefined;
	// The button stays the same element, so that a dialog can give the focus back to it.
	return (
		<Stack gap={6} align={before ? undefined : 'flex-start'} className={before ? classes.row : undefined}>
			<Group gap="xs">
				{before}
				<Button
					{...props}
					{...(isDisabled
						? { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': reasonId }
						: { onClick })}
				/>
			</Group>
			{isDisabled && (
				<Text id={reasonId} size="sm" c="dimmed" maw={before ? 340 : undefined}>
					{reason}
				</Text>
			)}
		</Stack>
	);
}
