import { useEffect } from 'react';
import type { LazyPage } from './lazy-page.ts';

/** Loads the code of pages once the browser has nothing else to do. `pages` must be the same at each call. */
export function usePreload(pages: readonly Pick<LazyPage<never>, 'preload'>[]): void {
	useEffect(() => {
		const preload = () => {
			for (const page of pages) page.preload();
		};
		// Safari does not say when it is idle.
		if (!('requestIdleCallback' in window)) {
			const timer = setTimeout(preload, 500);
			return () => clearTimeout(timer);
		}
		const request = requestIdleCallback(preload);
		return () => cancelIdleCallback(request);
	}, [pages]);
}
