import { useState } from 'react';
import { type Choice, keptChoice, keyOf } from '../../preferences/kept-choice.ts';

type ListChoice = Extract<Choice, `${string}-steps`>;

/** Whether this browser hides a list, and hides it from now on. */
export function useHidden(list: ListChoice): readonly [isHidden: boolean, hide: () => void] {
	const [isHidden, setHidden] = useState(() => keptChoice(list) === 'hidden');
	function hide() {
		setHidden(true);
		try {
			window.localStorage.setItem(keyOf(list), 'hidden');
		} catch {
			// The browser keeps nothing for these pages: the list is back when they are loaded again.
		}
	}
	return [isHidden, hide];
}
