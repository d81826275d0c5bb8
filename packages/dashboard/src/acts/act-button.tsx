import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { useSuspendedReason } from './use-suspended-reason.ts';

interface Props extends ButtonProps {
	readonly onClick: () => void;
	/** What it does, if its text does not say that by itself. */
	readonly 'aria-label'?: string;
}

/**
 * A button that opens the dialog of a change. While the operator has suspended the reseller, it looks disabled, does nothing
 * and says why. It can have the focus meanwhile, so that the reason is read aloud.
 */
export function ActButton({ onClick, children, ...props }: Props) {
	const id = useId();
	const reason = useSuspendedReason();
	const disabled = { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': id, title: reason };
	return (
		<>
			{/* It stays the same element, so that a dialog can give the focus back to it. */}
			<Button {...props} {...(reason === undefined ? { onClick } : disabled)}>
				{children}
			</Button>
			{reason !== undefined && <VisuallyHidden id={id}>{reason}</VisuallyHidden>}
		</>
	);
}
