import type { Movement as SentMovement } from '@bursar/contract/statement-schemas';
import type {
	DeletedSubUser,
	ResellerAccount,
	SubUserDetails as SentDetails,
	SubUserLimits as SentLimits,
	ListedSubUser as SentSubUser,
	SubUserWithLimits,
	SubUserWithNote,
	SubUserWithState,
} from '@bursar/contract/terms-schemas';
import type { Account, AccountDetails } from './accounts.ts';
import { fieldsOf, isCount, isNullOr, isText, readAccount, readDate, readEach } from './answers.ts';
import type { Page } from './resources/list.ts';
import type {
	CountedRefusals,
	ListedSubUser,
	Movement,
	ProxyRefusal,
	SubUserDetails,
	SubUserLimits,
	SubUserState,
	UnusableReason,
	Usability,
	UsedBytes,
} from './sub-user-terms.ts';

// Reads answers as `answers.ts` does: each function returns `undefined` if the data has another shape.

export function readState(data: unknown): { username: string; state: SubUserState } | undefined {
	const subUser = fieldsOf<SubUserWithState>(data);
	if (!isText(subUser?.username) || !isState(subUser.state)) return undefined;
	return { username: subUser.username, state: subUser.state };
}

export function readWithLimits(data: unknown): { username: string; limits: SubUserLimits } | undefined {
	const subUser = fieldsOf<SubUserWithLimits>(data);
	const limits = readLimits(subUser?.limits);
	return isText(subUser?.username) && limits ? { username: subUser.username, limits } : undefined;
}

export function readWithNote(data: unknown): { username: string; note: string } | undefined {
	const subUser = fieldsOf<SubUserWithNote>(data);
	if (!isText(subUser?.username) || typeof subUser.note !== 'string') return undefined;
	return { username: subUser.username, note: subUser.note };
}

export function readDeletion(data: unknown): { username: string; returnedCents: number } | undefined {
	const subUser = fieldsOf<DeletedSubUser>(data);
	if (!isText(subUser?.username) || !isCount(subUser.amount_usd_cents)) return undefined;
	return { username: subUser.username, returnedCents: subUser.amount_usd_cents };
}

export function readAccountWithTerms(
	data: unknown,
): { username: string; subUser: Account; limits: SubUserLimits; note: string } | undefined {
	const subUser = readAccount(data);
	const limited = readWithLimits(data);
	const noted = readWithNote(data);
	if (!subUser || !limited || !noted) return undefined;
	return { username: subUser.username, subUser, limits: limited.limits, note: noted.note };
}

export function readDetails(data: unknown): SubUserDetails | undefined {
	const details = fieldsOf<SentDetails>(data);
	const named = readState(data);
	const limits = readLimits(details?.limits);
	const usability = readUsability(data);
	const used = readUsed(details?.used);
	const connections = fieldsOf<SentDetails['used']>(details?.used)?.connections;
	const lastSeen = details?.last_seen === null ? null : readDate(details?.last_seen);
	const { note } = details ?? {};
	const lastRefusal = details?.last_refusal === null ? null : readRefusal(details?.last_refusal);
	const refusals = readEach(details?.refusals, readCountedRefusals);
	if (lastRefusal === undefined || !refusals) return undefined;
	if (!named || !usability || !limits || lastSeen === undefined || typeof note !== 'string') return undefined;
	if (!used || !isNullOr(isCount, connections)) return undefined;
	return {
		...named,
		...usability,
		limits,
		used: { ...used, connections: connections ?? undefined },
		note,
		lastSeen: lastSeen ?? undefined,
		lastRefusal: lastRefusal ?? undefined,
		refusals,
	};
}

function readRefusal(data: unknown): ProxyRefusal | undefined {
	const { at, edge, reason, network } = fieldsOf<NonNullable<SentDetails['last_refusal']>>(data) ?? {};
	const refusedAt = readDate(at);
	if (!refusedAt || !isText(edge) || !isText(reason) || !isNullOr(isText, network)) return undefined;
	return { refusedAt, edge, reason, network: network ?? undefined };
}

function readCountedRefusals(data: unknown): CountedRefusals | undefined {
	const { reason, count } = fieldsOf<SentDetails['refusals'][number]>(data) ?? {};
	return isText(reason) && isCount(count) ? { reason, count } : undefined;
}

export function readAccountDetails(data: unknown): AccountDetails | undefined {
	const { balance, debt, line, price, usable, reason } = fieldsOf<ResellerAccount>(data) ?? {};
	if (!isCount(balance) || !isCount(debt) || !isCount(line) || !isNullOr(isCount, price)) return undefined;
	if (typeof usable !== 'boolean' || !isNullOr(isText, reason)) return undefined;
	return {
		balanceCents: balance,
		debtCents: debt,
		lineCents: line,
		priceMicroUsd: price ?? undefined,
		isUsable: usable,
		reason: reason ?? undefined,
	};
}

export function readSubUserPage(data: unknown): Page<ListedSubUser> | undefined {
	return readPage(data, 'sub_users', (item) => {
		const account = readAccount(item);
		const named = readState(item);
		const usability = readUsability(item);
		const used = readUsed(fieldsOf<SentSubUser>(item)?.used);
		return account && named && usability && used ? { ...account, state: named.state, ...usability, used } : undefined;
	});
}

function readUsability(data: unknown): Usability | undefined {
	const { usable, reason } = fieldsOf<SentSubUser>(data) ?? {};
	if (typeof usable !== 'boolean' || !isNullOr(isText, reason)) return undefined;
	return { isUsable: usable, reason: (reason as UnusableReason | null) ?? undefined };
}

function readUsed(data: unknown): UsedBytes | undefined {
	const {
		day_bytes: dayBytes,
		month_bytes: monthBytes,
		total_bytes: totalBytes,
	} = fieldsOf<SentSubUser['used']>(data) ?? {};
	if (!isCount(dayBytes) || !isCount(monthBytes) || !isCount(totalBytes)) return undefined;
	return { dayBytes, monthBytes, totalBytes };
}

export function readStatementPage(data: unknown): Page<Movement> | undefined {
	return readPage(data, 'movements', readMovement);
}

export function readPage<Item>(
	data: unknown,
	name: string,
	readItem: (item: unknown) => Item | undefined,
): Page<Item> | undefined {
	const page = fieldsOf<Record<string, unknown>>(data);
	const items = readEach(page?.[name], readItem);
	const { next, more } = page ?? {};
	if (!items || !isNullOr(isText, next) || (more !== undefined && typeof more !== 'boolean')) return undefined;
	return { items, next: next ?? undefined, ...(more !== undefined && { more }) };
}

function readMovement(data: unknown): Movement | undefined {
	const movement = fieldsOf<SentMovement>(data);
	const movedAt = readDate(movement?.timestamp);
	const { id, kind, username, amount, balance, sub_user_balance: subUserBalance } = movement ?? {};
	const { request_id: requestId, change_id: changeId, reference } = movement ?? {};
	if (
		!isCount(id) ||
		!isText(kind) ||
		!movedAt ||
		!isNullOr(isText, username) ||
		!isCount(amount) ||
		!isText(requestId)
	)
		return undefined;
	if (!isNullOr(isCount, balance) || !isNullOr(isCount, subUserBalance)) return undefined;
	if (!isNullOr(isText, changeId) || !isNullOr(isText, reference)) return undefined;
	return {
		id,
		kind,
		username: username ?? undefined,
		amountCents: amount,
		balanceCents: balance ?? undefined,
		subUserBalanceCents: subUserBalance ?? undefined,
		movedAt,
		requestId,
		changeId: changeId ?? undefined,
		reference: reference ?? undefined,
	};
}

export function readLimits(data: unknown): SubUserLimits | undefined {
	const limits = fieldsOf<SentLimits>(data);
	const expiresAt = limits?.expires_at === null ? null : readDate(limits?.expires_at);
	const { day_bytes: dayBytes, month_bytes: monthBytes, total_bytes: totalBytes, connections } = limits ?? {};
	const allowedIps = limits?.allowed_ips === null ? null : readEach(limits?.allowed_ips, readText);
	if (!isNullOr(isCount, dayBytes) || !isNullOr(isCount, monthBytes) || !isNullOr(isCount, totalBytes))
		return undefined;
	if (!isNullOr(isCount, connections) || allowedIps === undefined || expiresAt === undefined) return undefined;
	return { dayBytes, monthBytes, totalBytes, connections, allowedIps, expiresAt };
}

function readText(value: unknown): string | undefined {
	return isText(value) ? value : undefined;
}

function isState(value: unknown): value is SubUserState {
	return value === 'active' || value === 'suspended' || value === 'expired';
}
