import type { BandwidthRecord, RecordedChange as ChangeView } from '@bursar/contract';
import type { Account } from '../../domain/account.ts';
import type { RecordedChange } from '../../domain/recorded-change.ts';
import { limitsView, type Terms } from '../../domain/terms.ts';
import { startOfDayMs, type UsageDay } from '../../domain/usage.ts';
import type { SubUserInState, UsedBytes } from '../../store/tables/accounts/terms-reads.ts';
import { type Usable, usedBytesView } from '../sub-user-limits.ts';

/** An account in the form of docs/api.md 6.5, as JSON. Throws if the store holds a name or a key that was never valid. */
export function subUserText(account: Account): string {
	return `{${fieldsOf(account)}}`;
}

/** A sub-user on a page: with its state, whether it can be used, and what it has used. */
export interface PageRow {
	readonly subUser: SubUserInState;
	readonly usable: Usable;
	/** `undefined`: nothing. */
	readonly used: UsedBytes | undefined;
}

/** The same for pages. */
export function pageRowText({ subUser, usable, used }: PageRow): string {
	const others = JSON.stringify({ state: subUser.state, ...usable, used: usedBytesView(used) });
	return `{${fieldsOf(subUser)},${others.slice(1)}`;
}

function fieldsOf({ username, balanceCents, proxyAuthkey, createdAtMs }: Account): string {
	const created = new Date(createdAtMs).toISOString();
	return `"username":"${plain(username)}","balance":${balanceCents},"proxy_authkey":"${plain(proxyAuthkey)}","date_created":"${created}"`;
}

/** A new account with its limits and its note, in the form of docs/api.md 11.10, as JSON. */
export function subUserWithTermsText(account: Account, { limits, note }: Terms): string {
	return `{${fieldsOf(account)},"limits":${JSON.stringify(limitsView(limits))},"note":${JSON.stringify(note)}}`;
}

/** A sub-user and its balance in USD cents, as JSON. */
export function balanceText(username: string, balanceCents: number): string {
	return `{"username":"${plain(username)}","balance":${balanceCents}}`;
}

/** Usernames and keys need no escapes. */
const PLAIN = /^[\w.]+$/;

function plain(text: string): string {
	if (!PLAIN.test(text)) throw new Error('the store holds a name or a key that was never valid');
	return text;
}

/** The usage of a day in the form of docs/api.md 6.6. */
export function bandwidthView({ day, bytesUp, bytesDown }: UsageDay): BandwidthRecord {
	return { bandwidth: { up: bytesUp, down: bytesDown }, timestamp: new Date(startOfDayMs(day)).toISOString() };
}

/** A recorded change in the form of docs/api.md 10.6. */
export function changeView(change: RecordedChange): ChangeView {
	const { id, kind, username, amountCents, balanceCents, error, atMs, requestId } = change;
	return {
		change_id: id,
		kind: kindOf(kind),
		username,
		amount: amountCents,
		balance: balanceCents,
		error,
		timestamp: new Date(atMs).toISOString(),
		request_id: requestId,
	};
}

function kindOf(kind: RecordedChange['kind']): ChangeView['kind'] {
	if (kind === 'create_sub_user') return 'create';
	return kind === 'create_sub_user_with' ? 'create_with' : kind;
}
