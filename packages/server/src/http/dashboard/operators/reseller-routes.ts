import { type ListedReseller, moneyTarget, type NewReseller } from '@bursar/contract/dashboard';
import type { BodyOf } from '@bursar/contract/dashboard-schemas';
import { DEFAULT_DEBT_LINE_CENTS } from '@bursar/contract/limits';
import { priceTarget } from '@bursar/contract/price';
import { normalizeUsername } from '@bursar/contract/username';
import type { TokenMaking } from '../../../commands/tokens/new-token.ts';
import { newProxyAuthkey, newToken } from '../../../credentials.ts';
import type { Account } from '../../../domain/account.ts';
import { isPrice } from '../../../domain/metering.ts';
import { isBalance, isTransferAmount } from '../../../domain/money.ts';
import { MADE_BY_OPERATOR } from '../../../domain/token.ts';
import { OPERATORS, StoreUnavailableError } from '../../../store/reading.ts';
import type { ResellerFigures } from '../../../store/tables/accounts/refused.ts';
import type { ListedResellerRow, ResellerQuery } from '../../../store/tables/accounts/resellers.ts';
import { findReseller } from '../business/accounts.ts';
import { lastDays } from '../business/sub-user-page.ts';
import { stateWithNewToken } from '../business/token-state.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { PersonCall } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { readPage, readSearch, sortOf } from '../calls/list-page.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readResellerDetails } from './reseller-details.ts';

interface OperatorDependencies
	extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'forgetTokens' | 'nowMs' | 'publicUrl'> {
	readonly sessions: Sessions;
}

/** The resellers of the platform, their money and their tokens, for operators. */
export function operatorResellerRoutes(calls: Calls, dependencies: OperatorDependencies): void {
	const { store, accounts, bank, forgetTokens, nowMs, sessions } = dependencies;

	calls.read('/operator/resellers', async ({ search: typedSearch = '', order = 'name', ...position }) => {
		const search = readSearch(typedSearch);
		const { by, descends } = sortOf<ResellerQuery['by']>(order);
		const used = lastDays(nowMs());
		const page = await readPage<ListedResellerRow>(position, {
			byName: by === 'name',
			valueOfRow: (row) => VALUES[by](row),
			async list(after, backwards, limit) {
				if (search === undefined) return [];
				return store.listResellersBy({ search, by, used, descends: descends !== backwards, after, limit });
			},
		});
		if (!page) return { refused: 'invalid_query' };
		const names = page.rows.map(({ username }) => username);
		const figures = await store.readResellerFigures({ resellers: names, ...used });
		const resellers = page.rows.map((row) => listedView(row, figures.get(row.username)));
		return { data: { resellers, next: page.next, previous: page.previous } };
	});

	calls.read('/operator/reseller', async ({ reseller }) => {
		const account = await findReseller(accounts, reseller);
		if (!account) return { refused: 'unknown_reseller' };
		return { data: await readResellerDetails(account, dependencies) };
	});

	calls.change('/operator/resellers/create', async ({ act, reseller: typedName, opening_balance }, call) => {
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'invalid_username' };
		if (!isBalance(opening_balance)) return { refused: 'invalid_amount' };
		const { token, ...made } = newToken();
		const making = { ...made, madeBy: MADE_BY_OPERATOR };
		const outcome = await bank.submit({
			kind: 'create_reseller',
			reseller,
			requestId: call.request.id,
			...ownAct(call, { act, kind: 'create_reseller', target: reseller }),
			...making,
			proxyAuthkey: newProxyAuthkey(),
			openingBalanceCents: opening_balance,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return { data: await newReseller(token, making, outcome.account) };
	});

	calls.change('/operator/end-tokens', async ({ act, reseller: typedName }, call) => {
		const account = await findReseller(accounts, typedName);
		if (!account) return { refused: 'unknown_reseller' };
		const { username: reseller } = account;
		const { token, ...made } = newToken();
		const making = { ...made, madeBy: MADE_BY_OPERATOR };
		const outcome = await bank.submit({
			kind: 'revoke_token',
			reseller,
			requestId: call.request.id,
			...ownAct(call, { act, kind: 'end_all_tokens', target: reseller }),
			...making,
		});
		if (!outcome.ok) return refusedBy(outcome);
		forgetTokens();
		return { data: await newReseller(token, making, account) };
	});

	calls.change('/operator/price', async ({ act, reseller: typedName, price, debt_line: debtLineCents }, call) => {
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		// What is recorded names it.
		if (price !== null && !isPrice(price)) return { refused: 'invalid_price' };
		if (debtLineCents !== undefined && !isBalance(debtLineCents)) return { refused: 'invalid_debt_line' };
		const outcome = await bank.submit({
			kind: 'set_price',
			reseller,
			requestId: call.request.id,
			...ownAct(call, { act, kind: 'set_price', target: priceTarget(reseller, price, debtLineCents) }),
			microUsdPerGb: price,
			debtLineCents,
		});
		return outcome.ok ? detailsAfterChange(reseller) : refusedBy(outcome);
	});

	calls.change('/operator/forgive-debt', async ({ act, reseller: typedName, amount, reason }, call) => {
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		// What is recorded names it.
		if (!isTransferAmount(amount)) return { refused: 'invalid_amount' };
		const outcome = await bank.submit({
			kind: 'forgive_debt',
			reseller,
			requestId: call.request.id,
			...ownAct(call, { act, kind: 'forgive_debt', target: moneyTarget(reseller, amount) }),
			amountCents: amount,
			reason,
		});
		return outcome.ok ? detailsAfterChange(reseller) : refusedBy(outcome);
	});

	function detailsAfterChange(reseller: string) {
		return readAfterChange(async () => {
			const account = await findReseller(accounts, reseller);
			return account ? { data: await readResellerDetails(account, dependencies) } : { refused: 'unknown_reseller' };
		});
	}

	calls.change('/operator/top-up', async (body, call) => pay('top_up', body, call));
	calls.change('/operator/adjust', async (body, call) => pay('adjust', body, call));

	async function pay(
		kind: 'top_up' | 'adjust',
		{ act, reseller: typedName, amount, reference, reason }: BodyOf<'/operator/top-up'>,
		call: PersonCall,
	) {
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'unknown_reseller' } as const;
		// Also because the sign says which way the money goes.
		if (!isTransferAmount(amount)) return { refused: 'invalid_amount' } as const;
		const outcome = await bank.submit({
			kind: 'credit_reseller',
			reseller,
			requestId: call.request.id,
			...ownAct(call, { act, kind, target: moneyTarget(reseller, amount) }),
			amountCents: kind === 'top_up' ? amount : -amount,
			reference,
			reason,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return readAfterChange(async () => {
			const account = await findReseller(accounts, reseller);
			if (!account) return { refused: 'unknown_reseller' };
			return { data: { repeated: outcome.repeated, details: await readResellerDetails(account, dependencies) } };
		});
	}

	function ownAct(call: PersonCall, done: Parameters<typeof ownChange>[2]) {
		return { act: ownChange(call, sessions, done).act };
	}

	/** The answer is the only place where the new token ever stands in the clear. It must not be lost. */
	async function newReseller(token: string, making: TokenMaking, account: Account): Promise<NewReseller> {
		try {
			const newest = (await findReseller(accounts, account.username)) ?? account;
			return { token, details: await readResellerDetails(newest, dependencies) };
		} catch (cause) {
			if (!(cause instanceof StoreUnavailableError)) throw cause;
			const { username, balanceCents, createdAtMs } = account;
			const tokens = await stateWithNewToken(username, making, dependencies, OPERATORS);
			const known = {
				reseller: username,
				balance: balanceCents,
				pair: null,
				debt: 0,
				debt_line: DEFAULT_DEBT_LINE_CENTS,
				prices: [],
				suspended: null,
				sign_in_by_address: false,
				note: '',
				largest_top_up: null,
				created: time(createdAtMs),
				tokens,
			};
			// The page reads again by itself.
			return { token, details: { ...known, people: [] } };
		}
	}
}

const VALUES: Readonly<Record<ResellerQuery['by'], (row: ListedResellerRow) => number>> = {
	name: () => 0,
	balance: ({ balanceCents }) => balanceCents,
	last_used: ({ lastUsedAtMs }) => lastUsedAtMs ?? 0,
	created: ({ createdAtMs }) => createdAtMs,
	bandwidth: ({ figure = 0 }) => figure,
	refused: ({ figure = 0 }) => figure,
};

/** `figures`: `undefined` if they are not known. */
function listedView(row: ListedResellerRow, figures: ResellerFigures | undefined): ListedReseller {
	const { bytes = 0, lastDayBytes = 0, refusedSubUsers = 0 } = figures ?? {};
	return {
		reseller: row.username,
		balance: row.balanceCents,
		debt: row.debtCents,
		debt_line: row.debtLineCents,
		month_bytes: bytes,
		day_bytes: lastDayBytes,
		refused: refusedSubUsers,
		price: row.microUsdPerGb,
		suspended: timeOrNull(row.suspendedAtMs),
		created: time(row.createdAtMs),
		last_used: timeOrNull(row.lastUsedAtMs),
	};
}
