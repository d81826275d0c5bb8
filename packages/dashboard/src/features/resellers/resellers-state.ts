import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import type { ListPlace } from '../../frame/list-place.ts';
import { textField, type UrlFields } from '../../frame/url-state.ts';

/** Which resellers a list shows, as it stands in the address. */
export interface ResellersState extends ListPlace {
	/** The beginning of the name, in lowercase. */
	readonly search: string;
}

export const resellersFields: UrlFields<ResellersState> = {
	search: textField(USERNAME_MAX_LENGTH),
	after: textField(),
	before: textField(),
};
