import { useState } from 'react';

/**
 * The text of a field before it counts. If the value that counts is changed elsewhere, as by the browser's
 * back button, the field follows it.
 */
export function useDraft(value: string): [string, (draft: string) => void] {
	const [state, setState] = useState({ value, draft: value });
	if (state.value !== value) setState({ value, draft: value });
	return [state.draft, (draft) => setState({ value, draft })];
}
