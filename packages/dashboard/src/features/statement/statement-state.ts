import { MOVEMENT_KINDS, type MovementFilter, type MovementKind } from '@bursar/contract/dashboard';
import { isMovementReference } from '@bursar/contract/reference';
import { normalizeUsername } from '@bursar/contract/username';
import { type DayRange, instantsOf } from '../../format/days.ts';
import { dayField, maybeChoiceField, numberField, type UrlFields } from '../../lists/url-state.ts';

/** Which movements a statement shows, as it stands in the address. */
export interface StatementState extends DayRange {
	readonly kind: MovementKind | undefined;
	readonly sub_user: string | undefined;
	readonly reference: string | undefined;
	/** Only movements with a smaller number. */
	readonly before: number | undefined;
}

export const statementFields: UrlFields<Required<StatementState>> = {
	kind: maybeChoiceField(MOVEMENT_KINDS),
	sub_user: {
		parse: (text) => (text === null ? undefined : normalizeUsername(text)),
		write: (username) => username ?? null,
	},
	reference: {
		parse: (text) => (text !== null && isMovementReference(text) ? text : undefined),
		write: (reference) => reference ?? null,
	},
	from: dayField,
	to: dayField,
	before: numberField,
};

/** The same as the service is asked for it. */
export function filterOf({ kind, sub_user, reference, from, to }: StatementState): MovementFilter {
	return {
		...(kind && { kind }),
		...(sub_user && { username: sub_user }),
		...(reference && { reference }),
		...instantsOf({ from, to }),
	};
}

export function isFiltered({ kind, sub_user, reference, from, to }: StatementState): boolean {
	return [kind, sub_user, reference, from, to].some((value) => value !== undefined);
}
