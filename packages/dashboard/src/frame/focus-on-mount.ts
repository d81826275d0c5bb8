/** For the `ref` of what replaces something that had the focus: the focus goes there. */
export function focusOnMount(element: HTMLElement | null): void {
	element?.focus();
}
