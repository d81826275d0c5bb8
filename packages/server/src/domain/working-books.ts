import { DEFAULT_DEBT_LINE_CENTS } from '@bursar/contract/limits';
import type { PaymentProviderName } from '@bursar/contract/payments';
import type { AccountBalance, AuthKeyChange, Deletion } from './account.ts';
import type { Books, Effect, TopUp } from './books.ts';
import type { Debt } from './debt.ts';
import type { EventLog } from './events/cursor.ts';
import type { Cause, Happening } from './events/happening.ts';
import type { ToJudge } from './events/judging.ts';
import { assertTransfer, DEBT, type MovementNote, type PostedTransfer, type Transfer } from './ledger.ts';
import type { Notice } from './mail/notice.ts';
import { type Due, liveCentsOf, type Price, type UsageCharge } from './metering.ts';
import { assertBalance } from './money.ts';
import type { Payment } from './payments/payment.ts';
import { WorkingPayments } from './payments/working-payments.ts';
import type { RecordedAct } from './people/act.ts';
import type { ActingSession } from './people/person.ts';
import type { ChangeName, RecordedChange } from './recorded-change.ts';

import type {
	BatchChanges,
	ChangedBalance,
	EndedJudging,
	ForgottenEvents,
	LoadedBooks,
	OpenedAccount,
} from './stored-books.ts';
import { NO_TERMS, type Terms, type TermsChange } from './terms.ts';
import type { Token } from './token.ts';
import type { Webhook, WebhookChange } from './webhooks/webhook.ts';
import { WorkingSignIns } from './working-sign-ins.ts';

/** An account during a batch. The rules see its first three fields. */
interface WorkingAccount extends AccountBalance {
	balanceCents: number;
	/** Whether its balance is to be written, or the newest movement of a reseller. */
	isMoved: boolean;
	/** How a command of this batch opened it; `undefined` if it existed before. */
	readonly opened: OpenedAccount | undefined;
	/** Of a sub-user: whether it was told to have money before that changed first, and who changed it last. */
	moneyBefore: { readonly hadMoney: boolean; readonly cause: Cause } | undefined;
	newAuthKey: string | undefined;
}

const NONE: readonly Due[] = [];

/** The books during a batch: what was loaded, and what the commands so far have changed. */
export class WorkingBooks implements Books {
	/** By reseller, then by username. */
	readonly #accounts = new Map<string, Map<string, WorkingAccount>>();
	readonly #opened: WorkingAccount[] = [];
	/** Accounts that existed before the batch. */
	readonly #moved: WorkingAccount[] = [];
	readonly #withNewAuthKey: WorkingAccount[] = [];
	readonly #withMoneyMoved = new Set<WorkingAccount>();
	/** By `accountKey`. */
	readonly #exhausted: ReadonlySet<string>;
	readonly #taken: Set<string>;
	readonly #tokens = new Map<string, readonly Token[]>();
	readonly #tokensChanged = new Set<string>();
	/** By reseller, then by id. */
	readonly #webhooks = new Map<string, Map<string, Webhook>>();
	readonly #webhookChanges: WebhookChange[] = [];
	readonly #notices: Notice[] = [];
	/** By reseller. */
	readonly #oldestEvents: ReadonlyMap<string, number>;
	/** By reseller and number. */
	readonly #eventIds = new Map<string, string>();
	readonly #topUps = new Map<string, TopUp>();
	readonly #newTopUps: TopUp[] = [];
	readonly #payments: WorkingPayments;
	readonly #signIns: WorkingSignIns;
	readonly #transfers: PostedTransfer[] = [];
	/** By reseller. */
	readonly #newestMovements: Map<string, number>;
	readonly #movementNotes: MovementNote[] = [];
	readonly #recordedActs: Set<string>;
	readonly #newActs: RecordedAct[] = [];
	readonly #happenings: Happening[] = [];
	/** By `accountKey`. */
	readonly #toJudge = new Map<string, ToJudge>();
	readonly #newestEvents: ReadonlyMap<string, number>;
	readonly #endedJudgings: EndedJudging[] = [];
	readonly #forgottenEvents: ForgottenEvents[] = [];
	/** As `keyOf` names them. */
	readonly #recordedChanges: Set<string>;
	readonly #newChanges: RecordedChange[] = [];
	readonly #sessions = new Map<string, ActingSession>();
	readonly #charges: UsageCharge[] = [];
	/** What is due, and terms, by `accountKey`. */
	readonly #dues = new Map<string, readonly Due[]>();
	readonly #terms = new Map<string, Terms>();
	readonly #newTerms = new Map<string, TermsChange>();
	readonly #suspended: Set<string>;
	readonly #deletions: Deletion[] = [];
	/** By reseller. */
	readonly #debts = new Map<string, Debt>();
	readonly #changedDebts = new Set<string>();
	readonly #prices = new Map<string, Price>();
	readonly #newPrices: Price[] = [];

	constructor(loaded: LoadedBooks) {
		for (const account of loaded.accounts) this.#add(account, undefined);
		this.#exhausted = new Set(loaded.exhausted.map(accountKey));
		this.#newestEvents = loaded.newestEvents;
		this.#newestMovements = new Map(loaded.newestMovements);
		for (const debt of loaded.debts) this.#debts.set(debt.reseller, debt);
		for (const due of loaded.dues) this.#dues.set(accountKey(due), [...this.duesOf(due), due]);
		for (const change of loaded.terms) this.#terms.set(accountKey(change), change.terms);
		this.#suspended = new Set(loaded.suspendedResellers);
		for (const price of loaded.prices) this.#prices.set(price.reseller, price);
		this.#taken = new Set(loaded.takenUsernames);
		for (const token of loaded.tokens) {
			this.#tokens.set(token.reseller, [...this.tokensOf(token.reseller), token]);
		}
		for (const webhook of loaded.webhooks) this.#setWebhook(webhook);
		this.#oldestEvents = new Map(loaded.oldestEvents.map(({ reseller, oldest }) => [reseller, oldest]));
		for (const { reseller, number, id } of loaded.eventIds) this.#eventIds.set(`${reseller}/${number}`, id);
		for (const topUp of loaded.topUps) this.#topUps.set(topUp.reference, topUp);
		this.#payments = new WorkingPayments(loaded.payments);
		this.#signIns = new WorkingSignIns(loaded.signInAddresses, loaded.signInResellers);
		this.#recordedActs = new Set(loaded.recordedActs);
		this.#recordedChanges = new Set(loaded.recordedChanges.map(keyOf));
		for (const session of loaded.sessions) this.#sessions.set(session.id, session);
	}

	account(reseller: string, username: string): AccountBalance | undefined {
		return this.#find(reseller, username);
	}

	duesOf(account: Pick<AccountBalance, 'reseller' | 'username'>): readonly Due[] {
		return this.#dues.size === 0 ? NONE : (this.#dues.get(accountKey(account)) ?? NONE);
	}

	termsOf(account: Pick<AccountBalance, 'reseller' | 'username'>): Terms {
		return this.#terms.get(accountKey(account)) ?? NO_TERMS;
	}

	debtOf(reseller: string): Debt {
		return this.#debts.get(reseller) ?? { reseller, cents: 0, lineCents: DEFAULT_DEBT_LINE_CENTS };
	}

	isSuspended(reseller: string): boolean {
		return this.#suspended.has(reseller);
	}

	signInAddressesOf(account: Pick<AccountBalance, 'reseller' | 'username'>): readonly string[] {
		return this.#signIns.of(account);
	}

	isAddressTaken(address: string, account: Pick<AccountBalance, 'reseller' | 'username'>): boolean {
		return this.#signIns.isTaken(address, account);
	}

	maySignInByAddress(reseller: string): boolean {
		return this.#signIns.isAllowed(reseller);
	}

	priceOf(reseller: string): Price | undefined {
		return this.#prices.get(reseller);
	}

	isTaken(username: string): boolean {
		return this.#taken.has(username);
	}

	tokensOf(reseller: string): readonly Token[] {
		return this.#tokens.get(reseller) ?? [];
	}

	webhooksOf(reseller: string): readonly Webhook[] {
		return [...(this.#webhooks.get(reseller)?.values() ?? [])];
	}

	logOf(reseller: string, number?: number): EventLog {
		const newest = this.#newestEvents.get(reseller) ?? 0;
		const idAt = this.#eventIds.get(`${reseller}/${number ?? newest}`) ?? null;
		return { newest, oldest: this.#oldestEvents.get(reseller) ?? newest + 1, idAt };
	}

	topUp(reference: string): TopUp | undefined {
		return this.#topUps.get(reference);
	}

	payment(reseller: string, id: string): Payment | undefined {
		return this.#payments.find(reseller, id);
	}

	paymentOfObject(provider: PaymentProviderName, objectId: string): string | undefined {
		return this.#payments.ofObject(provider, objectId);
	}

	countWaitingPayments(reseller: string, sinceMs: number): number {
		return this.#payments.countWaiting(reseller, sinceMs);
	}

	isActRecorded(id: string): boolean {
		return this.#recordedActs.has(id);
	}

	isChangeRecorded(reseller: string, id: string): boolean {
		return this.#recordedChanges.has(keyOf({ reseller, id }));
	}

	session(id: string): ActingSession | undefined {
		return this.#sessions.get(id);
	}

	/** `cause`: who asked for it. */
	apply(effect: Effect, cause: Cause): void {
		switch (effect.kind) {
			case 'transfer':
				this.#post(effect.transfer, cause);
				return;
			case 'note_movement':
				this.#movementNotes.push(effect.note);
				return;
			case 'open_account':
				this.#open({ ...effect.account, told: effect.told ?? null });
				return;
			case 'replace_auth_key':
				this.#replaceAuthKey(effect.change);
				return;
			case 'replace_tokens':
				this.#tokens.set(effect.reseller, effect.tokens);
				this.#tokensChanged.add(effect.reseller);
				return;
			case 'record_top_up':
				this.#topUps.set(effect.topUp.reference, effect.topUp);
				this.#newTopUps.push(effect.topUp);
				return;
			case 'write_payment':
				this.#payments.write(effect);
				return;
			case 'settle_usage':
				for (const charge of effect.charges) this.#settle(charge, cause);
				return;
			case 'set_price':
				this.#prices.set(effect.price.reseller, effect.price);
				this.#newPrices.push(effect.price);
				return;
			case 'set_debt_line':
				this.#setDebt({ ...this.debtOf(effect.reseller), lineCents: effect.cents });
				return;
			case 'change_terms':
				this.#changeTerms(effect.change, cause);
				return;
			case 'set_sign_in':
				this.#signIns.set(effect.account);
				return;
			case 'allow_sign_in':
				this.#signIns.allow(effect);
				return;
			case 'delete_account':
				this.#delete(effect.deletion);
				return;
			case 'record_act':
				this.#recordedActs.add(effect.act.id);
				this.#newActs.push(effect.act);
				return;
			case 'happened':
				this.#happenings.push(effect.happening);
				return;
			case 'change_webhook':
				this.#changeWebhook(effect.change);
				return;
			case 'notify':
				this.#notices.push(effect.notice);
				return;
			case 'judge':
				this.#judge(effect, cause);
				return;
			case 'forget_events':
				this.#forgottenEvents.push(effect);
				return;
			case 'end_judging':
				this.#endedJudgings.push(effect);
				return;
			case 'record_change':
				this.#recordedChanges.add(keyOf(effect.change));
				this.#newChanges.push(effect.change);
				return;
		}
	}

	changes(): BatchChanges {
		return {
			openedAccounts: this.#opened.map((account) => {
				const { proxyAuthkey, createdAtMs, told } = account.opened as OpenedAccount;
				const opened = { proxyAuthkey: account.newAuthKey ?? proxyAuthkey, createdAtMs, told };
				return { ...this.#changedBalance(account), ...opened };
			}),
			changedBalances: this.#moved.map((account) => this.#changedBalance(account)),
			changedAuthKeys: this.#withNewAuthKey.map(({ reseller, username, newAuthKey }) => {
				return { reseller, username, proxyAuthkey: newAuthKey as string };
			}),
			transfers: this.#transfers,
			movementNotes: this.#movementNotes,
			tokens: new Map(Array.from(this.#tokensChanged, (reseller) => [reseller, this.tokensOf(reseller)])),
			webhooks: this.#webhookChanges,
			topUps: this.#newTopUps,
			payments: this.#payments.written,
			acts: this.#newActs,
			happenings: this.#happenings,
			notices: this.#notices,
			toJudge: this.#accountsToJudge(),
			newestEvents: this.#newestEvents,
			endedJudgings: this.#endedJudgings,
			forgottenEvents: this.#forgottenEvents,
			recordedChanges: this.#newChanges,
			changedDebts: Array.from(this.#changedDebts, (reseller) => this.debtOf(reseller)),
			charges: this.#charges,
			prices: this.#newPrices,
			changedTerms: [...this.#newTerms.values()],
			changedSignIns: this.#signIns.changed,
			signInPermissions: this.#signIns.permissions,
			deletions: this.#deletions,
		};
	}

	/** Throws if the reseller owes something and has a balance that could pay it. */
	assertDebtIsPaid(reseller: string): void {
		if (this.debtOf(reseller).cents === 0 || !this.#find(reseller, reseller)?.balanceCents) return;
		throw new Error('a reseller with a balance owes something');
	}

	#changedBalance({ reseller, username, balanceCents }: WorkingAccount): ChangedBalance {
		const newestMovement = username === reseller ? (this.#newestMovements.get(reseller) ?? 0) : 0;
		return { reseller, username, balanceCents, newestMovement };
	}

	#find(reseller: string, username: string): WorkingAccount | undefined {
		return this.#accounts.get(reseller)?.get(username);
	}

	#add({ reseller, username, balanceCents }: AccountBalance, opened: OpenedAccount | undefined): WorkingAccount {
		const account: WorkingAccount = {
			...{ reseller, username, balanceCents, opened },
			isMoved: false,
			newAuthKey: undefined,
			moneyBefore: undefined,
		};
		const ofReseller = this.#accounts.get(reseller);
		if (ofReseller) ofReseller.set(username, account);
		else this.#accounts.set(reseller, new Map([[username, account]]));
		return account;
	}

	#open(account: OpenedAccount): void {
		if (account.balanceCents !== 0) throw new Error('a new account must have balance 0');
		if (this.#taken.has(account.username)) throw new Error('the name of a new account is taken');
		this.#opened.push(this.#add(account, account));
		this.#taken.add(account.username);
	}

	#replaceAuthKey({ reseller, username, proxyAuthkey }: AuthKeyChange): void {
		const account = this.#find(reseller, username);
		if (!account) throw new Error('a new key is for an account that was not loaded');
		if (!account.opened && account.newAuthKey === undefined) this.#withNewAuthKey.push(account);
		account.newAuthKey = proxyAuthkey;
	}

	#changeTerms(change: TermsChange, cause: Cause): void {
		const { reseller, username, terms } = change;
		const before = this.termsOf(change);
		if (!this.#find(reseller, username)) throw new Error('new terms are of an account that was not loaded');
		this.#terms.set(accountKey(change), terms);
		this.#newTerms.set(accountKey(change), change);
		if (username !== reseller) {
			const isOther = before.limits !== terms.limits || before.suspendedAtMs !== terms.suspendedAtMs;
			if (isOther) this.#judge(change, cause);
			return;
		}
		if (terms.suspendedAtMs === null) this.#suspended.delete(reseller);
		else this.#suspended.add(reseller);
	}

	#setWebhook(webhook: Webhook): void {
		const ofReseller = this.#webhooks.get(webhook.reseller);
		if (ofReseller) ofReseller.set(webhook.id, webhook);
		else this.#webhooks.set(webhook.reseller, new Map([[webhook.id, webhook]]));
	}

	#changeWebhook(change: WebhookChange): void {
		const { reseller, id } = change.webhook;
		const before = this.#webhooks.get(reseller)?.get(id);
		if ((before === undefined) !== (change.what === 'added')) throw new Error('a webhook is there, or is not');
		if (change.what === 'added') this.#setWebhook(change.webhook);
		if (change.what === 'changed') this.#setWebhook({ ...(before as Webhook), ...change.set });
		if (change.what === 'deleted') this.#webhooks.get(reseller)?.delete(id);
		this.#webhookChanges.push(change);
	}

	#delete(deletion: Deletion): void {
		const { reseller, username } = deletion;
		if (this.#find(reseller, username)?.balanceCents !== 0) throw new Error('a deleted account must have balance 0');
		if (this.duesOf(deletion).length > 0) throw new Error('a deleted account must owe nothing');
		this.#accounts.get(reseller)?.delete(username);
		this.#signIns.free(deletion);
		this.#taken.add(username);
		this.#deletions.push(deletion);
	}

	#settle(charge: UsageCharge, cause: Cause): void {
		const account = this.#find(charge.reseller, charge.username);
		if (account) this.#noteMoney(account, cause);
		const dues = this.duesOf(charge);
		const due = dues.find(({ price }) => price === charge.price);
		if (due?.cents !== charge.cents) throw new Error('a charge is not what is due');
		this.#dues.set(
			accountKey(charge),
			dues.filter((each) => each !== due),
		);
		this.#charges.push(charge);
	}

	#post(transfer: Transfer, cause: Cause): void {
		assertTransfer(transfer);
		const { reseller, debit, credit, amountCents } = transfer;
		this.#setBalance({ reseller, username: debit }, transfer.debitBalanceCents, -amountCents, cause);
		this.#setBalance({ reseller, username: credit }, transfer.creditBalanceCents, amountCents, cause);
		if (transfer.debit === DEBT) this.#addDebt(transfer.reseller, transfer.amountCents);
		if (transfer.credit === DEBT) this.#addDebt(transfer.reseller, -transfer.amountCents);
		this.#number(transfer, cause);
	}

	/** Only the account of the reseller itself has its number. */
	#number(transfer: Transfer, { changeId }: Cause): void {
		const { reseller } = transfer;
		const own = this.#find(reseller, reseller);
		if (!own) throw new Error('a transfer is of a reseller that was not loaded');
		const id = (this.#newestMovements.get(reseller) ?? 0) + 1;
		this.#newestMovements.set(reseller, id);
		this.#move(own);
		this.#transfers.push({ id, changeId: changeId ?? null, transfer });
	}

	#move(account: WorkingAccount): void {
		if (!account.opened && !account.isMoved) this.#moved.push(account);
		account.isMoved = true;
	}

	#addDebt(reseller: string, changeCents: number): void {
		const debt = this.debtOf(reseller);
		this.#setDebt({ ...debt, cents: debt.cents + changeCents });
	}

	#setDebt(debt: Debt): void {
		assertBalance(debt.cents, `the debt of ${debt.reseller}`);
		this.#debts.set(debt.reseller, debt);
		this.#changedDebts.add(debt.reseller);
	}

	#setBalance(
		{ reseller, username }: Pick<AccountBalance, 'reseller' | 'username'>,
		balanceCents: number | null,
		changeCents: number,
		cause: Cause,
	): void {
		if (balanceCents === null) return;
		const account = this.#find(reseller, username);
		if (!account) throw new Error('a transfer names an account that was not loaded');
		if (account.balanceCents + changeCents !== balanceCents) {
			throw new Error('a transfer does not lead from the balance before to the balance after');
		}
		this.#noteMoney(account, cause);
		account.balanceCents = balanceCents;
		this.#move(account);
	}

	/** To be called before the money of an account changes. */
	#noteMoney(account: WorkingAccount, cause: Cause): void {
		if (account.username === account.reseller) return;
		const hadMoney = account.moneyBefore?.hadMoney ?? this.#isToldToHaveMoney(account);
		account.moneyBefore = { hadMoney, cause };
		this.#withMoneyMoved.add(account);
	}

	/** What was told of a new account is what holds with what it gets in the same change. */
	#isToldToHaveMoney(account: WorkingAccount): boolean {
		return account.opened ? account.opened.told !== 'exhausted' : this.#hasMoney(account);
	}

	#isToldExhausted(account: WorkingAccount): boolean {
		return account.opened ? account.opened.told === 'exhausted' : this.#exhausted.has(accountKey(account));
	}

	#hasMoney(account: AccountBalance): boolean {
		return liveCentsOf(account.balanceCents, this.duesOf(account)) > 0;
	}

	#judge({ reseller, username }: Pick<AccountBalance, 'reseller' | 'username'>, cause: Cause): void {
		this.#toJudge.set(accountKey({ reseller, username }), { reseller, username, cause });
	}

	/** Those that a command names, and sub-users that have run out, or that were told exhausted and have a balance again. */
	#accountsToJudge(): readonly ToJudge[] {
		for (const account of this.#withMoneyMoved) {
			const { hadMoney, cause } = account.moneyBefore as NonNullable<WorkingAccount['moneyBefore']>;
			const hasMoney = this.#hasMoney(account);
			if (hadMoney ? !hasMoney : hasMoney && this.#isToldExhausted(account)) this.#judge(account, cause);
		}
		return [...this.#toJudge.values()].filter(({ reseller, username }) => this.#find(reseller, username));
	}
}

/** A username cannot contain a slash. */
function accountKey({ reseller, username }: Pick<AccountBalance, 'reseller' | 'username'>): string {
	return `${reseller}/${username}`;
}

function keyOf({ reseller, id }: ChangeName): string {
	return `${reseller}/${id}`;
}
