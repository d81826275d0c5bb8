import type {
	CreationWith,
	Deletion,
	ListedSubUser,
	Movement,
	ProxyRefusal,
	SetLimits,
	SetNote,
	SetSignInIps,
	SetState,
	SubUserDetails,
	SubUserLimits,
	UsedBytes,
} from '@bursar/client';
import { ACCOUNT_REFUSALS, type AccountRefusal } from '@bursar/contract/account-refusals';
import { signedAmount } from '@bursar/contract/movement-sign';
import { ACCOUNT_FIELDS, accountFields, type FieldsOf, feeFields } from './fields.ts';
import { byteWords, counted, speedWords } from './units.ts';

// What `--json` and CSV print about a sub-user, its state, limits and note, with the field names of docs/api.md 11.

export function stateFields({ username, state, confirmedBy }: SetState) {
	return { username, state, confirmed_by: confirmedBy };
}
export const STATE_FIELDS = ['username', 'state', 'confirmed_by'] as const satisfies FieldsOf<typeof stateFields>;

export function withLimitsFields({ username, limits, confirmedBy }: SetLimits) {
	return { username, limits: limitFields(limits), confirmed_by: confirmedBy };
}
export const WITH_LIMITS_FIELDS = ['username', 'limits', 'confirmed_by'] as const satisfies FieldsOf<
	typeof withLimitsFields
>;

export function creationWithFields({ subUser, limits, note, fee, confirmedBy }: CreationWith) {
	const has = { limits: limitFields(limits), note, fee: feeFields(fee) };
	return { ...accountFields(subUser), ...has, confirmed_by: confirmedBy };
}
export const CREATION_WITH_FIELDS = [
	...ACCOUNT_FIELDS,
	'limits',
	'note',
	'fee',
	'confirmed_by',
] as const satisfies FieldsOf<typeof creationWithFields>;

export function noteFields({ username, note, confirmedBy }: SetNote) {
	return { username, note, confirmed_by: confirmedBy };
}
export const NOTE_FIELDS = ['username', 'note', 'confirmed_by'] as const satisfies FieldsOf<typeof noteFields>;

export function signInFields({ username, signInIps, confirmedBy }: SetSignInIps) {
	return { username, sign_in_ips: signInIps, confirmed_by: confirmedBy };
}
export const SIGN_IN_FIELDS = ['username', 'sign_in_ips', 'confirmed_by'] as const satisfies FieldsOf<
	typeof signInFields
>;

export function deletionFields({ username, returnedCents, confirmedBy }: Deletion) {
	return { username, amount_usd_cents: returnedCents, confirmed_by: confirmedBy };
}
export const DELETION_FIELDS = ['username', 'amount_usd_cents', 'confirmed_by'] as const satisfies FieldsOf<
	typeof deletionFields
>;

export function listedFields(subUser: ListedSubUser) {
	const { state, isUsable, reason, used } = subUser;
	return { ...accountFields(subUser), state, usable: isUsable, reason: reason ?? null, used: usedFields(used) };
}
export const LISTED_FIELDS = [...ACCOUNT_FIELDS, 'state', 'usable', 'reason', 'used'] as const satisfies FieldsOf<
	typeof listedFields
>;

function usedFields({ dayBytes, monthBytes, totalBytes }: UsedBytes) {
	return { day_bytes: dayBytes, month_bytes: monthBytes, total_bytes: totalBytes };
}

/** CSV has no objects in its cells. */
export function listedCsvFields({ usable, used, ...fields }: ReturnType<typeof listedFields>) {
	return { ...fields, usable: String(usable), ...used };
}
export const LISTED_CSV = [
	...ACCOUNT_FIELDS,
	...(['state', 'usable', 'reason', 'day_bytes', 'month_bytes', 'total_bytes'] as const),
] as const satisfies FieldsOf<typeof listedCsvFields>;

export function movementFields(movement: Movement) {
	const { id, kind, username, balanceCents, subUserBalanceCents, movedAt, requestId } = movement;
	return {
		id,
		kind,
		username: username ?? null,
		// The API tells only how much has moved.
		amount_usd_cents: signedAmount(movement),
		balance_usd_cents: balanceCents ?? null,
		sub_user_balance_usd_cents: subUserBalanceCents ?? null,
		timestamp: movedAt.toISOString(),
		request_id: requestId,
		change_id: movement.changeId ?? null,
		reference: movement.reference ?? null,
	};
}
export const MOVEMENT_FIELDS = [
	'id',
	'timestamp',
	'kind',
	'username',
	'amount_usd_cents',
	'balance_usd_cents',
	'sub_user_balance_usd_cents',
	'request_id',
	'change_id',
	'reference',
] as const satisfies FieldsOf<typeof movementFields>;

export function detailFields(details: SubUserDetails) {
	const { username, state, isUsable, reason, limits, used, signInIps, note, lastSeen, lastRefusal, refusals } = details;
	return {
		username,
		state,
		usable: isUsable,
		reason: reason ?? null,
		limits: limitFields(limits),
		used: { ...usedFields(used), connections: used.connections ?? null },
		sign_in_ips: signInIps,
		note,
		last_seen: lastSeen?.toISOString() ?? null,
		last_refusal: lastRefusal
			? {
					at: lastRefusal.refusedAt.toISOString(),
					edge: lastRefusal.edge,
					reason: lastRefusal.reason,
					network: lastRefusal.network ?? null,
				}
			: null,
		refusals,
	};
}
export const DETAIL_FIELDS = [
	...(['username', 'state', 'usable', 'reason', 'limits', 'used', 'sign_in_ips'] as const),
	...(['note', 'last_seen'] as const),
	...(['last_refusal', 'refusals'] as const),
] as const satisfies FieldsOf<typeof detailFields>;

export function limitFields({ dayBytes, monthBytes, totalBytes, ...others }: SubUserLimits) {
	const { connections, bytesPerSecond, allowedIps, expiresAt } = others;
	return {
		day_bytes: dayBytes,
		month_bytes: monthBytes,
		total_bytes: totalBytes,
		connections,
		bytes_per_second: bytesPerSecond,
		allowed_ips: allowedIps,
		expires_at: expiresAt?.toISOString() ?? null,
	};
}

/** For people. */
export function detailRecord(details: SubUserDetails) {
	const { username, state, isUsable, reason, limits, used, signInIps, note, lastSeen, lastRefusal, refusals } = details;
	const { connections, bytesPerSecond } = limits;
	return {
		Username: username,
		State: state,
		Usable: usableWords(isUsable, reason ?? null),
		'Today (UTC)': usedWords(used.dayBytes, limits.dayBytes),
		'This month (UTC)': usedWords(used.monthBytes, limits.monthBytes),
		'In total': usedWords(used.totalBytes, limits.totalBytes),
		...(connections !== null && { Connections: `${used.connections ?? 0} of ${connections}` }),
		...(bytesPerSecond !== null && { Speed: speedWords(bytesPerSecond) }),
		...(limits.allowedIps && { 'Only from': limits.allowedIps.join(', ') }),
		...(limits.expiresAt && { Expires: limits.expiresAt.toISOString() }),
		...(signInIps.length > 0 && { 'Signs in from': signInIps.join(', ') }),
		...(note !== '' && { Note: note }),
		'Last seen': lastSeen?.toISOString() ?? 'never',
		...(lastRefusal && {
			Refused: refusalWords(lastRefusal),
			'In 8 days': refusals.map(({ reason, count }) => `${count} ${reasonWords(reason)}`).join(', '),
		}),
	};
}

function refusalWords({ refusedAt, edge, reason, network }: ProxyRefusal): string {
	const from = network === undefined ? '' : ` (from ${network})`;
	return `${refusedAt.toISOString()} at ${edge}: ${reasonWords(reason)}${from}`;
}

function reasonWords(reason: string): string {
	return ACCOUNT_REFUSALS[reason as AccountRefusal] ?? reason;
}

/** Whether the proxies accept it, and why not. */
export function usableWords(usable: boolean, reason: string | null): string {
	return usable ? 'yes' : `no: ${reason}`;
}

function usedWords(bytes: number, limit: number | null): string {
	return limit === null ? byteWords(bytes) : `${byteWords(bytes)} of ${byteWords(limit)}`;
}

/** All limits in one line; `none`. */
export function limitWords(limits: SubUserLimits): string {
	const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, allowedIps, expiresAt } = limits;
	const words = [
		dayBytes !== null && `${byteWords(dayBytes)} a day`,
		monthBytes !== null && `${byteWords(monthBytes)} a month`,
		totalBytes !== null && `${byteWords(totalBytes)} in total`,
		connections !== null && counted(connections, 'connection'),
		bytesPerSecond !== null && speedWords(bytesPerSecond),
		allowedIps !== null && `only from ${allowedIps.join(', ')}`,
		expiresAt !== null && `until ${expiresAt.toISOString()}`,
	];
	return words.filter((each) => each !== false).join('; ') || 'none';
}
