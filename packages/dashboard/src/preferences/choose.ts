import { type Choice, keyOf } from './kept-choice.ts';

/** Keeps what was chosen, and loads the pages again: their texts are made once. */
export function choose(choice: Choice, value: string): void {
	try {
		window.localStorage.setItem(keyOf(choice), value);
	} catch {
		// The browser keeps nothing for these pages, so its own language and time zone stay.
		return;
	}
	window.location.reload();
}
