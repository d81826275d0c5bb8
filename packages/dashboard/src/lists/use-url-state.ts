// The router's own `useSearch` decodes the query before it is parsed, so that `%26` would become `&`.

import { useEffect, useMemo } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { changedSearch, plainSearch, readUrlState, type UrlFields } from './url-state.ts';

interface ChangeOptions {
	/** Whether the browser's back button skips the address of now, as while somebody types. */
	readonly replace?: boolean;
}

/**
 * State that stands in the query of the address, so that it survives a reload and can be sent to others. What means
 * nothing is dropped from the address. `fields` must be the same object at each call: define it outside the component.
 */
export function useUrlState<State extends object>(
	fields: UrlFields<State>,
): [State, (change: Partial<State>, options?: ChangeOptions) => void] {
	const search = useSearch();
	const state = useMemo(() => readUrlState(fields, search), [fields, search]);

	useEffect(() => {
		const plain = plainSearch(fields, search);
		const { pathname, search: current } = window.location;
		// The address may have changed since.
		if (plain !== search && current === search) window.history.replaceState(null, '', pathname + plain);
	}, [fields, search]);

	function change(next: Partial<State>, { replace = false }: ChangeOptions = {}) {
		const { pathname, search: current } = window.location;
		const changed = changedSearch(fields, current, next);
		if (changed === current) return;
		window.history[replace ? 'replaceState' : 'pushState'](null, '', pathname + changed);
	}

	return [state, change];
}
