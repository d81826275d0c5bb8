import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { KnownUse, TokenUses } from '../../../src/bank/token-uses.ts';
import { newToken } from '../../../src/credentials.ts';
import { TOKEN_CACHE_LIFE_MS } from '../../../src/domain/token.ts';
import { createAuthenticator } from '../../../src/http/reseller/authenticator.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { StoredToken } from '../../../src/store/tables/tokens/tokens.ts';
import { revokeToken, tokenOf } from '../../support/commands.ts';

const NEVER = null;

/** An authenticator with a store that the test can disconnect, and a clock that it can set. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const tokens = new Map<string, StoredToken>();
	const state = { nowMs: 1_000_000, monotonicMs: 5_000, version: 1, isReachable: true, lookUps: 0 };
	const assertReachable = () => {
		if (!state.isReachable) throw new StoreUnavailableError('cut off');
	};
	const store = {
		async findToken(hash: string) {
			state.lookUps++;
			assertReachable();
			return tokens.get(hash);
		},
		async readCredentialsVersion() {
			assertReachable();
			return state.version;
		},
	};
	const uses = new Map<string, KnownUse>();
	const record: TokenUses['record'] = ({ hash }, atMs) => {
		uses.set(hash, { atMs });
		return uses.get(hash) as KnownUse;
	};
	const authenticator = createAuthenticator(store, {
		uses: { record },
		nowMs: () => state.nowMs,
		monotonicMs: () => state.monotonicMs,
	});
	t.after(() => authenticator.close());
	/** The reseller of a token. */
	function resellerOf(text: string) {
		const found = authenticator.find(text);
		return found instanceof Promise ? found.then((token) => token?.reseller) : found?.reseller;
	}
	return {
		authenticator: { ...authenticator, resellerOf },
		store,
		state,
		/** The last use of each token, in the order of their first uses. */
		usesMs: () => [...uses.values()].map(({ atMs }) => atMs),
		/** A token of `acme` that the store knows. */
		issue(expiresAtMs: number | null = NEVER, reseller = 'acme') {
			const { token, tokenHash } = newToken();
			const set = (expires: number | null) =>
				tokens.set(tokenHash, {
					...tokenOf(revokeToken(reseller, tokenHash)),
					expiresAtMs: expires,
					lastUsedAtMs: null,
				});
			set(expiresAtMs);
			return {
				token,
				change: set,
				drop: () => tokens.delete(tokenHash),
			};
		},
		/** Lets a second pass, in which the credentials version is read. */
		async second() {
			state.nowMs += 1_000;
			state.monotonicMs += 1_000;
			t.mock.timers.tick(1_000);
			await new Promise((resolve) => setImmediate(resolve));
		},
	};
}

test('a token is looked up once, then cached', async (t) => {
	const { authenticator, issue, state, second } = start(t);
	const { token } = issue();
	await second();
	for (let i = 0; i < 5; i++) assert.equal(await authenticator.resellerOf(token), 'acme');
	assert.equal(state.lookUps, 1);
	assert.equal(authenticator.resellerOf(token), 'acme', 'a cached token is answered at once');
});

test('every use of a token is recorded, whether it is looked up or cached; a refusal is not a use', async (t) => {
	const { authenticator, issue, state, usesMs } = start(t);
	const [token, ending] = [issue(), issue(state.nowMs + 10)];
	assert.equal(await authenticator.resellerOf(token.token), 'acme');
	assert.equal(await authenticator.resellerOf(ending.token), 'acme');
	const startMs = state.nowMs;
	state.nowMs += 10;
	assert.equal(authenticator.resellerOf(token.token), 'acme');
	assert.equal(await authenticator.resellerOf(ending.token), undefined);
	assert.equal(await authenticator.resellerOf(newToken().token), undefined);
	assert.deepEqual(usesMs(), [startMs + 10, startMs]);
});

test('a change of the credentials version clears the cache within a second', async (t) => {
	const { authenticator, issue, state, second } = start(t);
	const { token, drop } = issue();
	await second();
	assert.equal(await authenticator.resellerOf(token), 'acme');
	drop();
	assert.equal(await authenticator.resellerOf(token), 'acme', 'the change is not known yet');
	state.version++;
	await second();
	assert.equal(await authenticator.resellerOf(token), undefined);
});

test('without the store, a token works for the cache life and no longer', async (t) => {
	const { authenticator, issue, state, second } = start(t);
	const { token } = issue();
	await second();
	assert.equal(await authenticator.resellerOf(token), 'acme');
	state.isReachable = false;
	for (let passedMs = 1_000; passedMs < TOKEN_CACHE_LIFE_MS; passedMs += 1_000) {
		await second();
		assert.equal(await authenticator.resellerOf(token), 'acme', `after ${passedMs} ms`);
	}
	await second();
	await assert.rejects(async () => authenticator.resellerOf(token), StoreUnavailableError);
	state.isReachable = true;
	assert.equal(await authenticator.resellerOf(token), 'acme', 'it recovers by itself');
});

test('neither use nor a clock that is set back extends the cache life', async (t) => {
	const { authenticator, issue, state } = start(t);
	const { token } = issue();
	assert.equal(await authenticator.resellerOf(token), 'acme');
	state.isReachable = false;
	state.nowMs -= 3_600_000;
	state.monotonicMs += TOKEN_CACHE_LIFE_MS - 1;
	assert.equal(await authenticator.resellerOf(token), 'acme');
	state.monotonicMs += 1;
	await assert.rejects(async () => authenticator.resellerOf(token), StoreUnavailableError);
});

test('a cached token that expires is refused at once', async (t) => {
	const { authenticator, issue, state } = start(t);
	const { token } = issue(state.nowMs + 500);
	assert.equal(await authenticator.resellerOf(token), 'acme');
	state.nowMs += 499;
	assert.equal(authenticator.resellerOf(token), 'acme');
	state.nowMs += 1;
	assert.equal(await authenticator.resellerOf(token), undefined);
});

test('unknown and expired tokens are not cached: a token issued later works at once', async (t) => {
	const { authenticator, issue, state } = start(t);
	const { token, drop, change } = issue();
	drop();
	assert.equal(await authenticator.resellerOf(token), undefined);
	change(state.nowMs);
	assert.equal(await authenticator.resellerOf(token), undefined);
	change(NEVER);
	assert.equal(await authenticator.resellerOf(token), 'acme');
	assert.equal(state.lookUps, 3);
});

test('an ill-formed token is refused without a lookup', async (t) => {
	const { authenticator, issue, state } = start(t);
	const { token } = issue();
	for (const text of ['', 'x', token.slice(1), `${token}0`, `${token.slice(0, -1)}-`, token.replace('brs_', 'brt_')]) {
		assert.equal(await authenticator.resellerOf(text), undefined, text);
	}
	assert.equal(state.lookUps, 0);
});

test('a lookup that was under way when the cache was cleared is not cached', async (t) => {
	const { authenticator, issue, state, store } = start(t);
	const { token, drop } = issue();
	let arrive = () => {};
	const findToken = store.findToken;
	store.findToken = async (hash) => {
		const found = await findToken(hash);
		await new Promise<void>((resolve) => {
			arrive = resolve;
		});
		return found;
	};
	const early = authenticator.resellerOf(token);
	await new Promise((resolve) => setImmediate(resolve));
	drop();
	authenticator.forget();
	arrive();
	assert.equal(await early, 'acme', 'it was valid at the time of the lookup');
	store.findToken = findToken;
	assert.equal(await authenticator.resellerOf(token), undefined);
	assert.equal(state.lookUps, 2);
});

test('the cache has a maximum size, and drops the oldest token first', async (t) => {
	const { authenticator, issue, state } = start(t);
	const tokens = Array.from({ length: 10_001 }, (_, i) => issue(NEVER, `reseller${i}`).token);
	for (const [i, token] of tokens.entries()) assert.equal(await authenticator.resellerOf(token), `reseller${i}`);
	assert.equal(authenticator.resellerOf(tokens.at(-1) as string), 'reseller10000');
	assert.equal(authenticator.resellerOf(tokens[1] as string), 'reseller1');
	assert.equal(state.lookUps, 10_001);
	assert.equal(await authenticator.resellerOf(tokens[0] as string), 'reseller0');
	assert.equal(state.lookUps, 10_002, 'the first token had made room for the last');
});
