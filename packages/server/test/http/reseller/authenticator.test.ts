import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { NotedUse, TokenUses } from '../../../src/bank/token-uses.ts';
import { newToken } from '../../../src/credentials.ts';
import { TOKEN_CACHE_LIFE_MS } from '../../../src/domain/token.ts';
import { createAuthenticator } from '../../../src/http/reseller/authenticator.ts';
import type { StoredToken } from '../../../src/store/credential-reads.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { revokeToken, tokenOf } from '../../support/commands.ts';

const NEVER = null;

/** The tokens of a store that a test can cut off, and a clock that it can set. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const tokens = new Map<string, StoredToken>();
	const state = { nowMs: 1_000_000, monotonicMs: 5_000, version: 1, isReachable: true, lookUps: 0 };
	const reach = () => {
		if (!state.isReachable) throw new StoreUnavailableError('cut off');
	};
	const store = {
		async findToken(hash: string) {
			state.lookUps++;
			reach();
			return tokens.get(hash);
		},
		async readCredentialsVersion() {
			reach();
			return state.version;
		},
	};
	const uses = new Map<string, NotedUse>();
	const note: TokenUses['note'] = ({ hash }, atMs) => {
		uses.set(hash, { atMs });
		return uses.get(hash) as NotedUse;
	};
	const authenticator = createAuthenticator(store, {
		uses: { note },
		nowMs: () => state.nowMs,
		monotonicMs: () => state.monotonicMs,
	});
	t.after(() => authenticator.close());
	return {
		authenticator,
		store,
		state,
		/** When the tokens were last used, in the order in which they were first. */
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
		/** Lets a second pass, and the look at the credentials version that comes with it. */
		async second() {
			state.nowMs += 1_000;
			state.monotonicMs += 1_000;
			t.mock.timers.tick(1_000);
			await new Promise((resolve) => setImmediate(resolve));
		},
	};
}

test('a token is looked up once, and remembered', async (t) => {
	const { authenticator, issue, state, second } = start(t);
	const { token } = issue();
	await second();
	for (let i = 0; i < 5; i++) assert.equal(await authenticator.resellerOf(token), 'acme');
	assert.equal(state.lookUps, 1);
	assert.equal(authenticator.resellerOf(token), 'acme', 'what is remembered is answered at once');
});

test('every use of a token is noted, whether it is looked up or remembered; a refusal is no use', async (t) => {
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

test('a change of the credentials version ends all that is remembered within a second', async (t) => {
	const { authenticator, issue, state, second } = start(t);
	const { token, drop } = issue();
	await second();
	assert.equal(await authenticator.resellerOf(token), 'acme');
	drop();
	assert.equal(await authenticator.resellerOf(token), 'acme', 'nobody has heard of it yet');
	state.version++;
	await second();
	assert.equal(await authenticator.resellerOf(token), undefined);
});

test('where the store cannot be asked, a token lives for the cache life and no longer', async (t) => {
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
	assert.equal(await authenticator.resellerOf(token), 'acme', 'it works again by itself');
});

test('the cache life is not prolonged by use, or by a wall clock that is set back', async (t) => {
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

test('a remembered token that expires is refused on the spot', async (t) => {
	const { authenticator, issue, state } = start(t);
	const { token } = issue(state.nowMs + 500);
	assert.equal(await authenticator.resellerOf(token), 'acme');
	state.nowMs += 499;
	assert.equal(authenticator.resellerOf(token), 'acme');
	state.nowMs += 1;
	assert.equal(await authenticator.resellerOf(token), undefined);
});

test('unknown and expired tokens are not remembered: one that is issued later works at once', async (t) => {
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

test('a token whose form is wrong is refused without asking the store', async (t) => {
	const { authenticator, issue, state } = start(t);
	const { token } = issue();
	for (const text of ['', 'x', token.slice(1), `${token}0`, `${token.slice(0, -1)}-`, token.replace('brs_', 'brt_')]) {
		assert.equal(await authenticator.resellerOf(text), undefined, text);
	}
	assert.equal(state.lookUps, 0);
});

test('an answer of the store that was on its way when everything was forgotten is not remembered', async (t) => {
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
	assert.equal(await early, 'acme', 'it was true when it was asked');
	store.findToken = findToken;
	assert.equal(await authenticator.resellerOf(token), undefined);
	assert.equal(state.lookUps, 2);
});

test('however many tokens are used, a bounded number is remembered, and the longest known goes first', async (t) => {
	const { authenticator, issue, state } = start(t);
	const tokens = Array.from({ length: 10_001 }, (_, i) => issue(NEVER, `reseller${i}`).token);
	for (const [i, token] of tokens.entries()) assert.equal(await authenticator.resellerOf(token), `reseller${i}`);
	assert.equal(authenticator.resellerOf(tokens.at(-1) as string), 'reseller10000');
	assert.equal(authenticator.resellerOf(tokens[1] as string), 'reseller1');
	assert.equal(state.lookUps, 10_001);
	assert.equal(await authenticator.resellerOf(tokens[0] as string), 'reseller0');
	assert.equal(state.lookUps, 10_002, 'the first had made room for the last');
});
