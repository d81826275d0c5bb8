import { type ComponentType, lazy } from 'react';

/** Thrown if the code of a page does not arrive: the service was updated, or the connection is lost. */
export class PageNotLoaded extends Error {
	override readonly name = 'PageNotLoaded';
}

/** A page whose code is loaded when it is first shown. */
export function lazyPage<Props = object>(load: () => Promise<ComponentType<Props>>) {
	return lazy(() =>
		load().then(
			(page) => ({ default: page }),
			(cause) => {
				throw new PageNotLoaded('the page was not loaded', { cause });
			},
		),
	);
}
