/** A choice that this browser keeps. Language and time zone are read once, when the pages are loaded. */
export type Choice = 'language' | 'time-zone' | 'service-steps' | 'reseller-steps';

/** What was chosen; `null` if nothing was, or if the browser keeps nothing for these pages. */
export function keptChoice(choice: Choice): string | null {
	// Tests of rules read texts without a browser.
	const { window } = globalThis as {
		readonly window?: { readonly localStorage: { getItem(key: string): string | null } };
	};
	try {
		return window?.localStorage.getItem(keyOf(choice)) ?? null;
	} catch {
		return null;
	}
}

export function keyOf(choice: Choice): string {
	return `bursar-${choice}`;
}
