import { isWellFormedToken } from '@bursar/contract/secret-text';
import type { KnownUse, TokenUses } from '../../bank/token-uses.ts';
import { hashToken } from '../../credentials.ts';
import { isLiveToken, isRetiredToken, TOKEN_CACHE_LIFE_MS, type Token } from '../../domain/token.ts';
import type { CredentialReads } from '../../store/tables/tokens/tokens.ts';
import { keepNewest } from '../server/keep-newest.ts';

const VERSION_CHECK_MS = 1_000;
/** @bound Tokens that are remembered in each process: the oldest are forgotten. */
const MAX_CACHED_TOKENS = 10_000;

/** Finds what the store knows of a bearer token. */
export interface Authenticator {
	/** `undefined` if the token is unknown or expired. Rejects with `StoreUnavailableError`. */
	find(token: string): Token | undefined | Promise<Token | undefined>;
	/** Forgets all tokens. For a process that has just changed a token. */
	forget(): void;
	close(): void;
}

interface AuthenticatorOptions {
	readonly uses: Pick<TokenUses, 'record'>;
	/** The store's time, in Unix milliseconds. */
	readonly nowMs: () => number;
	readonly monotonicMs?: () => number;
}

interface CachedToken {
	readonly token: Token;
	/** Monotonic milliseconds. */
	readonly readAtMs: number;
	readonly use: KnownUse;
}

/**
 * Looks tokens up and remembers valid ones for up to 30 seconds. Every second it reads the credentials version of the
 * store. If the version has changed, it forgets all tokens, so a changed token is noticed soon. If the store cannot be
 * asked, the 30 seconds still hold. A token that expires is refused at once, and unknown tokens are never remembered.
 * The store knows only the hashes of tokens. The cache uses the token itself as its key, because hashing it costs a
 * fifth of a small read. So a core dump may hold recently used tokens, as it may hold the requests that carried them.
 */
export function createAuthenticator(
	store: CredentialReads,
	{ uses, nowMs, monotonicMs = () => performance.now() }: AuthenticatorOptions,
): Authenticator {
	const cache = new Map<string, CachedToken>();
	let version: number | undefined;
	// Counts each `forget`, so that a look-up that was already on its way is not remembered.
	let generation = 0;
	let isChecking = false;

	function forget(): void {
		cache.clear();
		generation++;
	}

	/** Removes old tokens, so that no token stays in memory longer than it is used. The oldest come first in the map. */
	function forgetOld(): void {
		for (const [text, { readAtMs }] of cache) {
			if (monotonicMs() - readAtMs < TOKEN_CACHE_LIFE_MS) return;
			cache.delete(text);
		}
	}

	async function checkVersion(): Promise<void> {
		forgetOld();
		if (isChecking) return;
		isChecking = true;
		try {
			const current = await store.readCredentialsVersion();
			if (current !== version) forget();
			version = current;
		} catch {
			// The store cannot be asked. Remembered tokens end by their age.
		} finally {
			isChecking = false;
		}
	}
	const timer = setInterval(checkVersion, VERSION_CHECK_MS);
	timer.unref();

	async function lookUp(text: string): Promise<Token | undefined> {
		const generationBefore = generation;
		const readAtMs = monotonicMs();
		const token = await store.findToken(hashToken(text));
		const usedAtMs = nowMs();
		if (!token || !isLiveToken(token, usedAtMs)) return undefined;
		const use = uses.record({ hash: token.hash, isRetired: isRetiredToken(token) }, usedAtMs);
		if (generation === generationBefore) keepNewest(cache, text, { token, readAtMs, use }, MAX_CACHED_TOKENS);
		return token;
	}

	return {
		find(text) {
			const cached = cache.get(text);
			if (cached) {
				const isFresh = monotonicMs() - cached.readAtMs < TOKEN_CACHE_LIFE_MS;
				const usedAtMs = nowMs();
				if (isFresh && isLiveToken(cached.token, usedAtMs)) {
					cached.use.atMs = usedAtMs;
					return cached.token;
				}
				cache.delete(text);
			}
			return isWellFormedToken(text) ? lookUp(text) : undefined;
		},
		forget,
		close: () => clearInterval(timer),
	};
}
