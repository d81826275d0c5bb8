/** The place of a page in a list, as the service has made it. At most one is not empty. */
export interface ListPlace {
	readonly after: string;
	readonly before: string;
}

/** The place of the first page. What changes the list goes back there. */
export const FIRST_PAGE: ListPlace = { after: '', before: '' };

/** A place as the service is asked for it. */
export function placeQueryOf({ after, before }: ListPlace): { readonly after?: string; readonly before?: string } {
	if (after !== '') return { after };
	return before === '' ? {} : { before };
}
