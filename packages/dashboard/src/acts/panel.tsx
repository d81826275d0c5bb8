import { Stack, type StackProps } from '@mantine/core';

/** Replaces a form in its dialog, like with an outcome, and takes the focus. */
export function Panel(props: StackProps) {
	return (
		<Stack gap="lg" ref={focusOnMount} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }} {...props} />
	);
}

/** The `ref` of an element that takes the focus because it replaces the one that had it. */
export function focusOnMount(element: HTMLElement | null): void {
	element?.focus();
}
