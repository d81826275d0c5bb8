import { ACT_KINDS, type ActKind, type DashboardReads, normalizeEmailPart } from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import { type DayRange, instantsOf } from '../../format/days.ts';
import { dayField, maybeChoiceField, numberField, type UrlFields } from '../../lists/url-state.ts';

/** Which acts a list shows, as it stands in the address. */
export interface ActsState extends DayRange {
	/** A part of an e-mail address. */
	readonly person: string | undefined;
	/** The address from which it was done. */
	readonly address: string | undefined;
	readonly kind: ActKind | undefined;
	readonly sub_user: string | undefined;
	/** Only acts with a smaller number. */
	readonly before: number | undefined;
}

type ActFilter = Omit<DashboardReads['/operator/acts']['query'], 'before'>;

export const actsFields: UrlFields<Required<ActsState>> = {
	person: {
		parse: (text) => normalizeEmailPart(text ?? '') || undefined,
		write: (email) => email ?? null,
	},
	address: {
		parse: (text) => (text === null ? undefined : addressOf(text)),
		write: (address) => address ?? null,
	},
	kind: maybeChoiceField(ACT_KINDS),
	sub_user: {
		parse: (text) => normalizeUsername(text ?? ''),
		write: (username) => username ?? null,
	},
	from: dayField,
	to: dayField,
	before: numberField,
};

/** The same as the service is asked for it. */
export function filterOf({ person, address, kind, sub_user, from, to }: ActsState): ActFilter {
	return {
		...(person && { email: person }),
		...(address && { address }),
		...(kind && { kind }),
		...(sub_user && { username: sub_user }),
		...instantsOf({ from, to }),
	};
}

export function isFiltered({ person, address, kind, sub_user, from, to }: ActsState): boolean {
	return [person, address, kind, sub_user, from, to].some((value) => value !== undefined);
}

/** A text that may be an IP address. The service knows its plain form. */
export function addressOf(text: string): string | undefined {
	const address = text.trim().toLowerCase();
	return /^[0-9a-f.:]{2,45}$/.test(address) ? address : undefined;
}

/** Kinds that only operators and edges do, and that concern no reseller. */
const OF_THE_PLATFORM: ReadonlySet<ActKind> = new Set([
	...(['claim', 'make_claim', 'create_edge', 'link_edge', 'join_edge', 'revoke_edge', 'verify_ledger'] as const),
	...(['end_all_sessions', 'import_usage', 'change_master_key', 'replace_master_key'] as const),
]);
export const KINDS_OF_RESELLERS = ACT_KINDS.filter((kind) => !OF_THE_PLATFORM.has(kind));
