import { type ComponentType, createElement, lazy, useEffect, useState } from 'react';

/** Thrown if the code of a page does not arrive: the service was updated, or the connection is lost. */
export class PageNotLoaded extends Error {
	override readonly name = 'PageNotLoaded';
}

/** A page whose code is loaded when it is first shown, or before. */
type LazyPage<Props> = ComponentType<Props> & {
	/** Loads the code now, so that the page is shown at once later. If that fails, it is loaded when it is shown. */
	readonly preload: () => void;
};

export function lazyPage<Props extends object = object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
	let loaded: ComponentType<Props> | undefined;

	async function loadOnce() {
		loaded ??= await load();
		return loaded;
	}
	const Later = lazy(() =>
		loadOnce().then(
			(page) => ({ default: page }),
			(cause) => {
				throw new PageNotLoaded('the page was not loaded', { cause });
			},
		),
	);
	/** A page that is there is drawn in the same step. `lazy` would show that it is loading first. */
	function Page(props: Props) {
		const [Shown] = useState<ComponentType<Props>>(() => loaded ?? (Later as unknown as ComponentType<Props>));
		return createElement(Shown, props);
	}

	return Object.assign(Page, { preload: () => void loadOnce().catch(() => {}) });
}

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
