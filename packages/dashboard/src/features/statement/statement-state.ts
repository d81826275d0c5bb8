import { MOVEMENT_KINDS, type MovementFilter, type MovementKind, type WantedMoney } from '@bursar/contract/dashboard';
import { isMovementReference } from '@bursar/contract/reference';
import { normalizeUsername } from '@bursar/contract/username';
import { type DayRange, instantsOf } from '../../format/days.ts';
import { dayField, maybeChoiceField, numberField, type UrlFields } from '../../lists/url-state.ts';

/** All movements, those of the own balance, or those of a kind. */
export type ShownMovements = 'all' | WantedMoney | MovementKind;
export const SHOWN_MOVEMENTS: readonly ShownMovements[] = ['own', 'no_bandwidth', 'all', ...MOVEMENT_KINDS];

/** Which movements a statement shows, as it stands in the address. */
export interface StatementState extends DayRange {
	/** Absent: `shownOf` says it. */
	readonly kind: ShownMovements | undefined;
	readonly sub_user: string | undefined;
	readonly reference: string | undefined;
	/** Only movements with a smaller number. */
	readonly before: number | undefined;
}

export const statementFields: UrlFields<Required<StatementState>> = {
	kind: maybeChoiceField(SHOWN_MOVEMENTS),
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

/**
 * What is shown: the own balance by default, because most movements are bandwidth of sub-users. A sub-user or a reference is
 * looked for among all movements.
 */
export function shownOf({ kind, sub_user, reference }: StatementState): ShownMovements {
	const byDefault = sub_user === undefined && reference === undefined ? 'own' : 'all';
	return kind === undefined || kind === 'own' ? byDefault : kind;
}

/** The same as the service is asked for it. */
export function filterOf(state: StatementState): MovementFilter {
	const { sub_user, reference, from, to } = state;
	const shown = shownOf(state);
	return {
		...(shown === 'own' || shown === 'no_bandwidth' ? { money: shown } : shown !== 'all' && { kind: shown }),
		...(sub_user && { username: sub_user }),
		...(reference && { reference }),
		...instantsOf({ from, to }),
	};
}

export function isFiltered({ kind, sub_user, reference, from, to }: StatementState): boolean {
	return [kind, sub_user, reference, from, to].some((value) => value !== undefined);
}
