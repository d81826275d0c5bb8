import { Stack, type StackProps } from '@mantine/core';

/** What replaces a form in its dialog, like an outcome. It takes the focus. */
export function Panel(props: StackProps) {
	return (
		<Stack gap="lg" ref={focusOnMount} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }} {...props} />
	);
}

/** For the `ref` of what replaces something that had the focus: the focus goes there. */
export function focusOnMount(element: HTMLElement | null): void {
	element?.focus();
}
