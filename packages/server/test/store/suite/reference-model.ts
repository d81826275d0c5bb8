import type { ResellerScope } from '@bursar/contract/scopes';
import type { Refusal } from '../../../src/commands/command.ts';
import type { GiveBalance } from '../../../src/commands/money/give-take.ts';
import type { ChangeCommand, Command, Outcome, RefusalReason } from '../../../src/commands/registry.ts';
import type { CreateReseller } from '../../../src/commands/resellers/create.ts';
import type { CreateToken } from '../../../src/commands/tokens/further.ts';
import type { RevokeToken, RotateToken } from '../../../src/commands/tokens/rotate-revoke.ts';
import type { Account } from '../../../src/domain/account.ts';
import type { RecordedChange } from '../../../src/domain/recorded-change.ts';
import type { Limits, Terms } from '../../../src/domain/terms.ts';
import type { Token } from '../../../src/domain/token.ts';

/** One transfer in the model. A balance is the sum of its transfers. */
interface Entry {
	readonly reseller: string;
	readonly from: string;
	readonly to: string;
	readonly cents: bigint;
	/** Of the change that made it. */
	readonly changeId: string | null;
	readonly reference: string | null;
}

interface ModelAccount {
	readonly reseller: string;
	readonly createdAtMs: number;
	proxyAuthkey: string;
	terms: Terms;
	/** From where it signs in. */
	signInIps: readonly string[];
}

const NO_TERMS: Terms = {
	suspendedAtMs: null,
	limits: {
		dayBytes: null,
		monthBytes: null,
		totalBytes: null,
		connections: null,
		bytesPerSecond: null,
		allowedIps: null,
		expiresAtMs: null,
	},
	note: '',
};

interface ModelToken {
	readonly hash: string;
	readonly reseller: string;
	readonly tail: string;
	readonly madeAtMs: number;
	readonly madeBy: string;
	/** `null` if it does not expire. */
	expiresAtMs: number | null;
	/** `null` if it was never used. */
	lastUsedAtMs: number | null;
	/** `null` for the one token. */
	readonly further: Token['further'];
}

const isFurther = ({ further }: ModelToken) => further !== null;

const MAX_BALANCE = 2n ** 53n - 1n;
const OUTSIDE = 'platform:funding';
const FEES = 'platform:fees';

/** The whole system in a few maps, written from docs/api.md and not from the server's code, as an independent check. */
export function createReferenceModel() {
	const accounts = new Map<string, ModelAccount>();
	const deleted = new Set<string>();
	const entries: Entry[] = [];
	const references = new Map<string, { reseller: string; cents: bigint; balance: bigint }>();
	const changes = new Map<string, RecordedChange>();
	/** The resellers that may sign in by address. */
	const signingIn = new Set<string>();
	let tokens: ModelToken[] = [];
	/** The command that is under way. */
	let current: Command | undefined;

	const no = (error: RefusalReason): Refusal<RefusalReason> => ({ ok: false, error });
	const isWhole = (cents: number) => Number.isSafeInteger(cents);
	const isReseller = (name: string) => accounts.get(name)?.reseller === name;
	const isSubUserOf = (reseller: string, name: string) =>
		name !== reseller && accounts.get(name)?.reseller === reseller;

	function balance(name: string): bigint {
		let sum = 0n;
		for (const { from, to, cents } of entries) {
			if (from === name) sum -= cents;
			if (to === name) sum += cents;
		}
		return sum;
	}

	function pay(reseller: string, from: string, to: string, cents: bigint): void {
		const { changeId = null, reference = null } = current as Partial<Pick<GiveBalance, 'changeId' | 'reference'>>;
		const isMove = current?.kind === 'give_balance' || current?.kind === 'take_balance';
		entries.push({ reseller, from, to, cents, changeId, reference: isMove ? reference : null });
	}

	function account(name: string): Account | undefined {
		const { reseller = '', createdAtMs = 0, proxyAuthkey = '' } = accounts.get(name) ?? {};
		if (!accounts.has(name)) return undefined;
		return { reseller, createdAtMs, proxyAuthkey, username: name, balanceCents: Number(balance(name)) };
	}

	function make(
		{ reseller, tokenHash, tokenTail, madeBy }: CreateReseller | RotateToken | RevokeToken | CreateToken,
		madeAtMs: number,
	): ModelToken {
		return {
			...{ hash: tokenHash, reseller, tail: tokenTail, madeAtMs, madeBy },
			...{ expiresAtMs: null, lastUsedAtMs: null, further: null },
		};
	}

	function issue(made: ModelToken, retired: readonly ModelToken[], endMs: number): Outcome {
		const others = tokens.filter((token) => token.reseller !== made.reseller);
		tokens = [...others, ...retired, made];
		return { ok: true, previousExpiresAtMs: endMs };
	}

	function run(command: Command, nowMs: number): Outcome {
		current = command;
		if (!('changeId' in command) || command.changeId === undefined) return runOnce(command, nowMs);
		const name = `${command.reseller} ${command.changeId}`;
		if (changes.has(name)) return no('change_repeated');
		const entriesBefore = entries.length;
		const outcome = runOnce(command, nowMs);
		if (outcome.ok || entries.length > entriesBefore) {
			changes.set(name, { id: command.changeId, ...whatDid(command, outcome), atMs: nowMs });
		}
		return outcome;
	}

	/** docs/api.md 10.6. */
	function whatDid(command: ChangeCommand, outcome: Outcome): Omit<RecordedChange, 'id' | 'atMs'> {
		const { reseller, kind, requestId } = command;
		const username = ('username' in command && command.username) || null;
		const error = outcome.ok ? null : username === null ? 'invalid_username' : 'username_taken';
		const known = { reseller, kind, requestId, username, error } as const;
		if (outcome.ok && 'returnedCents' in outcome) {
			return { ...known, amountCents: outcome.returnedCents, balanceCents: null };
		}
		if (command.kind === 'create_sub_user_with') {
			const given = outcome.ok ? Number(balance(command.username)) : null;
			return { ...known, amountCents: given ?? 0, balanceCents: given };
		}
		if (kind === 'create_sub_user') return { ...known, amountCents: 10, balanceCents: outcome.ok ? 0 : null };
		if (!('amountCents' in command) || command.kind === 'create_top_up')
			return { ...known, amountCents: null, balanceCents: null };
		return { ...known, amountCents: command.amountCents, balanceCents: Number(balance(command.username)) };
	}

	function setTerms(reseller: string, username: string, changed: (terms: Terms) => Terms): Outcome {
		const known = accounts.get(username);
		if (!known || !isSubUserOf(reseller, username)) return no('unknown_sub_user');
		known.terms = changed(known.terms);
		return { ok: true, username, terms: known.terms };
	}

	/** docs/api.md 11: a count is at least 1, a speed at least 8,000, and a list of addresses has 1 to 32. */
	function areLimits(limits: Partial<Limits>): boolean {
		const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, allowedIps, expiresAtMs } = limits;
		const counts = [dayBytes, monthBytes, totalBytes, connections].filter((count) => typeof count === 'number');
		return (
			counts.every((count) => count > 0) &&
			(connections ?? 1) <= 1_000_000 &&
			(bytesPerSecond ?? 8_000) >= 8_000 &&
			(bytesPerSecond ?? 0) <= 10 ** 12 &&
			(allowedIps ?? ['any']).length > 0 &&
			new Date(expiresAtMs ?? 0).toISOString().length === 24
		);
	}

	/** Whether two addresses of IPv6, in the forms of this model, overlap because one of them is a /64. */
	function overlaps(one: string, other: string): boolean {
		return `${one}${other}`.includes('/') && one.includes(':') && one.split('::')[0] === other.split('::')[0];
	}

	/** docs/api.md 11: an address is of one account of the platform, and one of IPv6 is in no /64 of another one. */
	function isTaken(ip: string, username: string): boolean {
		const isHis = ([name, { signInIps }]: [string, ModelAccount]) =>
			name !== username && signInIps.some((own) => own === ip || overlaps(own, ip));
		return [...accounts].some(isHis);
	}

	const isNote = (note: string) => !/\n/.test(note) && note.length <= 200;
	const isSuspended = (name: string) => isReseller(name) && accounts.get(name)?.terms.suspendedAtMs != null;

	function runOnce(command: Command, nowMs: number): Outcome {
		const { reseller } = command;
		const isToken = command.kind === 'create_token' || command.kind === 'end_token';
		if ('changeId' in command && !isToken && isSuspended(reseller)) return no('suspended');
		switch (command.kind) {
			case 'create_reseller': {
				const cents = command.openingBalanceCents;
				if (!isWhole(cents) || cents < 0) return no('balance_limit');
				if (accounts.has(reseller) || deleted.has(reseller)) return no('username_taken');
				const { proxyAuthkey } = command;
				accounts.set(reseller, { reseller, createdAtMs: nowMs, proxyAuthkey, terms: NO_TERMS, signInIps: [] });
				tokens.push(make(command, nowMs));
				if (cents > 0) pay(reseller, OUTSIDE, reseller, BigInt(cents));
				return { ok: true, account: account(reseller) as Account };
			}
			case 'credit_reseller': {
				if (command.reference === '') return no('invalid_reference');
				if (command.amountCents < 0 && !command.reason) return no('invalid_reason');
				if (!isWhole(command.amountCents) || command.amountCents === 0) return no('invalid_amount');
				if (!isReseller(reseller)) return no('unknown_reseller');
				const cents = BigInt(command.amountCents);
				const first = references.get(command.reference);
				if (first && (first.reseller !== reseller || first.cents !== cents)) return no('reference_conflict');
				if (first) return { ok: true, username: reseller, balanceCents: Number(first.balance), repeated: true };
				const after = balance(reseller) + cents;
				if (after < 0n) return no('insufficient_balance');
				if (after > MAX_BALANCE) return no('balance_limit');
				if (cents > 0n) pay(reseller, OUTSIDE, reseller, cents);
				else pay(reseller, reseller, OUTSIDE, -cents);
				references.set(command.reference, { reseller, cents, balance: after });
				return { ok: true, username: reseller, balanceCents: Number(after), repeated: false };
			}
			case 'create_sub_user': {
				if (!isReseller(reseller)) return no('rules_failed');
				if (balance(reseller) < 10n) return no('insufficient_balance');
				pay(reseller, reseller, FEES, 10n);
				const { username } = command;
				if (username === undefined) return no('no_usable_username');
				if (accounts.has(username) || deleted.has(username)) return no('username_taken');
				const { proxyAuthkey } = command;
				accounts.set(username, { reseller, createdAtMs: nowMs, proxyAuthkey, terms: NO_TERMS, signInIps: [] });
				return { ok: true, account: account(username) as Account };
			}
			case 'create_sub_user_with': {
				const { username, proxyAuthkey, amountCents, limits, note } = command;
				if (amountCents !== undefined && (!isWhole(amountCents) || amountCents < 1)) return no('invalid_amount');
				if (!areLimits(limits)) return no('invalid_limits');
				if (!isNote(note)) return no('invalid_note');
				if (!isReseller(reseller)) return no('rules_failed');
				const cents = BigInt(amountCents ?? 0);
				if (balance(reseller) < 10n + cents) return no('insufficient_balance');
				pay(reseller, reseller, FEES, 10n);
				if (accounts.has(username) || deleted.has(username)) return no('username_taken');
				const terms = { suspendedAtMs: null, limits: { ...NO_TERMS.limits, ...limits }, note };
				accounts.set(username, { reseller, createdAtMs: nowMs, proxyAuthkey, terms, signInIps: [] });
				if (cents > 0n) pay(reseller, reseller, username, cents);
				return { ok: true, account: account(username) as Account, terms };
			}
			case 'give_balance':
			case 'take_balance': {
				const { username, amountCents } = command;
				if (!isReseller(reseller)) return no('rules_failed');
				if (!isSubUserOf(reseller, username)) return no('unknown_sub_user');
				if (!isWhole(amountCents) || amountCents < 1) return no('invalid_amount');
				const [from, to] = command.kind === 'give_balance' ? [reseller, username] : [username, reseller];
				if (balance(from) < BigInt(amountCents)) return no('insufficient_balance');
				if (balance(to) + BigInt(amountCents) > MAX_BALANCE) return no('balance_limit');
				pay(reseller, from, to, BigInt(amountCents));
				return { ok: true, username, balanceCents: Number(balance(username)) };
			}
			case 'reset_auth_key': {
				const { username, proxyAuthkey } = command;
				const known = accounts.get(username);
				if (!known || !isSubUserOf(reseller, username)) return no('unknown_sub_user');
				known.proxyAuthkey = proxyAuthkey;
				return { ok: true, username, proxyAuthkey };
			}
			case 'suspend_sub_user':
				return setTerms(reseller, command.username, (terms) => ({
					...terms,
					suspendedAtMs: terms.suspendedAtMs ?? nowMs,
				}));
			case 'resume_sub_user':
				return setTerms(reseller, command.username, (terms) => ({ ...terms, suspendedAtMs: null }));
			case 'set_note': {
				if (!isSubUserOf(reseller, command.username)) return no('unknown_sub_user');
				if (!isNote(command.note)) return no('invalid_note');
				return setTerms(reseller, command.username, (terms) => ({ ...terms, note: command.note }));
			}
			case 'set_limits': {
				if (!isSubUserOf(reseller, command.username)) return no('unknown_sub_user');
				if (!areLimits(command.limits)) return no('invalid_limits');
				return setTerms(reseller, command.username, (terms) => {
					return { ...terms, limits: { ...terms.limits, ...command.limits } };
				});
			}
			case 'set_sign_in_ips': {
				const { username, signInIps } = command;
				const known = accounts.get(username);
				if (!known || !isSubUserOf(reseller, username)) return no('unknown_sub_user');
				const isMore = signInIps.some((ip) => !known.signInIps.includes(ip));
				if (isMore && !signingIn.has(reseller)) return no('sign_in_by_address_off');
				if (signInIps.some((ip) => isTaken(ip, username))) return no('address_taken');
				known.signInIps = signInIps;
				return { ok: true, username, signInIps };
			}
			case 'allow_sign_in_by_address': {
				if (!isReseller(reseller)) return no('unknown_reseller');
				if (command.isAllowed) signingIn.add(reseller);
				else signingIn.delete(reseller);
				return { ok: true, username: reseller, isAllowed: command.isAllowed };
			}
			case 'delete_sub_user': {
				const { username } = command;
				if (!isReseller(reseller)) return no('rules_failed');
				if (!isSubUserOf(reseller, username)) return no('unknown_sub_user');
				const rest = balance(username);
				if (balance(reseller) + rest > MAX_BALANCE) return no('balance_limit');
				if (rest > 0n) pay(reseller, username, reseller, rest);
				accounts.delete(username);
				deleted.add(username);
				return { ok: true, username, returnedCents: Number(rest) };
			}
			case 'suspend_reseller':
			case 'resume_reseller': {
				const known = accounts.get(reseller);
				if (!known || !isReseller(reseller)) return no('unknown_reseller');
				const isSuspended = command.kind === 'suspend_reseller';
				known.terms = { ...known.terms, suspendedAtMs: isSuspended ? nowMs : null };
				return { ok: true, username: reseller, isSuspended };
			}
			case 'note_reseller': {
				const { note } = command;
				if (/\n/.test(note)) return no('invalid_note');
				const known = accounts.get(reseller);
				if (!known || !isReseller(reseller)) return no('unknown_reseller');
				known.terms = { ...known.terms, note };
				return { ok: true, username: reseller, note };
			}
			case 'rotate_token': {
				if (!isReseller(reseller)) return no('unknown_reseller');
				if (!(command.overlapMs >= 0 && command.overlapMs <= 240_000)) return no('invalid_overlap');
				const own = tokens.filter((token) => token.reseller === reseller);
				const [further, ofRotations] = [own.filter(isFurther), own.filter((token) => !isFurther(token))];
				if (ofRotations.some(({ expiresAtMs }) => expiresAtMs !== null && nowMs < expiresAtMs + 30_000)) {
					return no('rotation_pending');
				}
				const endMs = nowMs + command.overlapMs;
				const previous = own.filter(({ expiresAtMs }) => expiresAtMs === null);
				const retired = previous.map((token) => ({ ...token, expiresAtMs: endMs }));
				return issue(make(command, nowMs), [...retired, ...further], endMs);
			}
			// `metering-suite.ts` has a model of its own.
			case 'set_price':
			case 'forgive_debt':
			case 'post_usage':
			case 'judge_usable':
			case 'forget_events':
				throw new Error('this model knows no prices');
			case 'create_top_up':
			case 'ask_payment_read':
			case 'begin_payment_read':
			case 'record_payment_read':
				throw new Error('this model knows no payments through providers');
			case 'create_webhook':
			case 'update_webhook':
			case 'delete_webhook':
			case 'rotate_webhook_secret':
			case 'test_webhook':
			case 'switch_off_webhook':
				throw new Error('this model knows no webhooks');
			// docs/api.md 5.6.
			case 'create_token': {
				const { name, scopes, endsAtMs, allowedIps } = command;
				if (name === '' || scopes.length === 0) return no('invalid_token');
				if (endsAtMs <= nowMs || endsAtMs > nowMs + 366 * 86_400_000) return no('invalid_token');
				const isExpired = (token: ModelToken) => isFurther(token) && Number(token.expiresAtMs) <= nowMs;
				const kept = tokens.filter((token) => token.reseller !== reseller || !isExpired(token));
				const others = kept.filter((token) => token.reseller === reseller);
				if (others.some(({ further }) => further?.name === name)) return no('token_exists');
				const further = { id: command.id, name, scopes: scopes as ResellerScope[], allowedIps };
				const token = { ...make(command, nowMs), expiresAtMs: endsAtMs, further };
				tokens = [...kept, token];
				const { lastUsedAtMs: _, ...created } = token;
				return { ok: true, token: created };
			}
			case 'end_token': {
				const ended = tokens.find((token) => token.reseller === reseller && token.further?.id === command.id);
				if (!ended) return no('unknown_token');
				tokens = tokens.filter((token) => token !== ended);
				return { ok: true, id: command.id };
			}
			case 'revoke_token': {
				if (!isReseller(reseller)) return no('unknown_reseller');
				return issue(make(command, nowMs), [], nowMs);
			}
		}
	}

	/** The account that signs in from this address of a client. */
	function signedIn(ip: string): string | undefined {
		const isIn = (own: string) => own === ip || (own.includes('/') && overlaps(own, ip));
		const found = [...accounts].find(([, { signInIps }]) => signInIps.some(isIn));
		return found && signingIn.has(found[1].reseller) ? found[0] : undefined;
	}

	return {
		run,
		account,
		signedIn,
		isDeleted: (name: string) => deleted.has(name),
		token: (hash: string) => tokens.find((token) => token.hash === hash),
		change: (reseller: string, id: string) => changes.get(`${reseller} ${id}`),
		subUsersOf: (reseller: string) =>
			[...accounts.keys()]
				.filter((name) => isSubUserOf(reseller, name))
				.sort()
				.map((name) => account(name)),
		/** Their ids count up from 1. */
		entriesOf: (reseller: string) => entries.filter((entry) => entry.reseller === reseller),
	};
}
