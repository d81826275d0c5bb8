import type { Envelope } from '@bursar/contract/envelope';
import { type ErrorCode, errors } from '@bursar/contract/errors';
import type {
	BandwidthRecord,
	RepeatedChange,
	RecordedChange as SentChange,
	SubUser,
	SubUserAuthKey,
	SubUserBalance,
} from '@bursar/contract/schemas';
import { normalizeUsername } from '@bursar/contract/username';
import type { Account, DailyUsage, RecordedChange } from './accounts.ts';
import type { ChangeOperation } from './errors.ts';

// Each field of an answer is checked, because something other than the service may have answered.
// Each function returns `undefined` if the data has another shape.

/** The envelope (docs/api.md 3.1) whose `status` repeats that of the response. */
export function readEnvelope(text: string, status: number): Envelope<unknown> | undefined {
	const envelope = fieldsOf<Envelope<unknown>>(parsed(text));
	const isEnvelope = envelope?.status === status && typeof envelope.message === 'string' && envelope.data !== undefined;
	return isEnvelope ? (envelope as Envelope<unknown>) : undefined;
}

export function readAccount(data: unknown): Account | undefined {
	const account = fieldsOf<SubUser>(data);
	const dateCreated = readDate(account?.date_created);
	if (!isText(account?.username) || !isCount(account.balance) || !isText(account.proxy_authkey) || !dateCreated) {
		return undefined;
	}
	return {
		username: account.username,
		balanceCents: account.balance,
		proxyAuthkey: account.proxy_authkey,
		dateCreated,
	};
}

/** Reads an answer that must name this username. An answer about another account is not the answer to this request. */
export function of<Data extends { readonly username: string }>(
	username: string,
	read: (data: unknown) => Data | undefined,
): (data: unknown) => Data | undefined {
	const asked = normalizeUsername(username);
	return (data) => {
		const account = read(data);
		return account?.username === asked ? account : undefined;
	};
}

/** Sorted by day, the earliest first, because the service returns them in any order (docs/api.md 7.4). */
export function readUsage(data: unknown): DailyUsage[] | undefined {
	return readEach(data, readDay)?.sort((one, other) => one.day.getTime() - other.day.getTime());
}

export function readBalance(data: unknown): { username: string; balanceCents: number } | undefined {
	const account = fieldsOf<SubUserBalance>(data);
	if (!isText(account?.username) || !isCount(account.balance)) return undefined;
	return { username: account.username, balanceCents: account.balance };
}

export function readAuthKey(data: unknown): { username: string; proxyAuthkey: string } | undefined {
	const account = fieldsOf<SubUserAuthKey>(data);
	if (!isText(account?.username) || !isText(account.proxy_authkey)) return undefined;
	return { username: account.username, proxyAuthkey: account.proxy_authkey };
}

/** Reads what the change with this id did. `null`: there is no such change. */
export function readRecordedChange(changeId: string): (data: unknown) => RecordedChange | null | undefined {
	return (data) => {
		if (data === null) return null;
		const change = fieldsOf<SentChange>(data);
		const operation = change ? OPERATIONS[change.kind as SentChange['kind']] : undefined;
		const doneAt = readDate(change?.timestamp);
		const { username, amount, balance, error, request_id: requestId } = change ?? {};
		const isChange =
			change?.change_id === changeId &&
			isNullOr(isText, username) &&
			isNullOr(isCount, amount) &&
			isNullOr(isCount, balance) &&
			isNullOr(isErrorCode, error) &&
			isText(requestId);
		if (!isChange || operation === undefined || doneAt === undefined) return undefined;
		return {
			changeId,
			operation,
			username: username ?? undefined,
			amountCents: amount ?? undefined,
			balanceCents: balance ?? undefined,
			error: error ?? undefined,
			doneAt,
			requestId,
		};
	};
}

/** Reads the data of `change_repeated`: what the change with this id did. An older service does not tell it. */
export function readRepeated(data: unknown, changeId = ''): RecordedChange | undefined {
	return readRecordedChange(changeId)(fieldsOf<RepeatedChange>(data)?.change) ?? undefined;
}

/** By the kind on the wire. */
const OPERATIONS: Readonly<Record<SentChange['kind'], ChangeOperation>> = {
	create: 'create',
	create_with: 'create_with',
	give_balance: 'give',
	take_balance: 'take',
	reset_auth_key: 'reset_auth_key',
	suspend_sub_user: 'suspend',
	resume_sub_user: 'resume',
	set_limits: 'set_limits',
	set_note: 'set_note',
	set_sign_in_ips: 'set_sign_in_ips',
	delete_sub_user: 'delete',
	create_webhook: 'create_webhook',
	update_webhook: 'update_webhook',
	delete_webhook: 'delete_webhook',
	rotate_webhook_secret: 'rotate_webhook_secret',
	create_token: 'create_token',
	end_token: 'end_token',
	create_top_up: 'create_top_up',
};

const DAY_MS = 86_400_000;

function readDay(data: unknown): DailyUsage | undefined {
	const record = fieldsOf<BandwidthRecord>(data);
	const bandwidth = fieldsOf<BandwidthRecord['bandwidth']>(record?.bandwidth);
	const day = readDate(record?.timestamp);
	if (!day || day.getTime() % DAY_MS !== 0 || !isCount(bandwidth?.up) || !isCount(bandwidth.down)) return undefined;
	return { day, bytesUp: bandwidth.up, bytesDown: bandwidth.down };
}

export function readEach<Item>(data: unknown, readItem: (item: unknown) => Item | undefined): Item[] | undefined {
	if (!Array.isArray(data)) return undefined;
	const items = data.map(readItem);
	return items.includes(undefined) ? undefined : (items as Item[]);
}

/** All times are UTC, also without a zone, which `Date` would take for local. */
const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00:00)?$/;

export function readDate(value: unknown): Date | undefined {
	const [, seconds, fraction = ''] = (isText(value) && UTC_TIME.exec(value)) || [];
	const date = new Date(`${seconds}${fraction}Z`);
	// `Date` takes 31 February for a day in March.
	const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds as string);
	return isReal ? date : undefined;
}

export function readDateOrNull(value: unknown): Date | null | undefined {
	return value === null ? null : readDate(value);
}

export function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function isErrorCode(value: unknown): value is ErrorCode {
	return isText(value) && Object.hasOwn(errors, value);
}

export function isNullOr<Value>(is: (value: unknown) => value is Value, value: unknown): value is Value | null {
	return value === null || is(value);
}

/** Cents or bytes: a whole number that JavaScript holds exactly. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The unchecked fields of a value that should be a `Shape`. */
export function fieldsOf<Shape>(value: unknown): Partial<Record<keyof Shape, unknown>> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
