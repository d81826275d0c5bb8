import { textField, type UrlField, type UrlFields } from '../../frame/url-state.ts';

/** Which resellers a list shows, as it stands in the address. */
export interface ResellersState {
	/** The beginning of the name, in lowercase. */
	readonly search: string;
	/** At most one of both is there: where this page begins or ends. */
	readonly after: string | undefined;
	readonly before: string | undefined;
}

const placeField: UrlField<string | undefined> = {
	parse: (text) => text?.slice(0, 100) || undefined,
	write: (place) => place ?? null,
};

export const resellersFields: UrlFields<ResellersState> = {
	search: textField(32),
	after: placeField,
	before: placeField,
};
