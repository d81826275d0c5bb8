import type { NotedUse, TokenUses } from '../../bank/token-uses.ts';
import { hashToken } from '../../credentials.ts';
import { isWellFormedToken } from '../../domain/secret-text.ts';
import { isLiveToken, TOKEN_CACHE_LIFE_MS, type Token } from '../../domain/token.ts';
import type { CredentialReads } from '../../store/credential-reads.ts';

const VERSION_CHECK_MS = 1_000;
const MAX_CACHED_TOKENS = 10_000;

/** Tells whose a bearer token is. */
export interface Authenticator {
	/** The reseller, or `undefined` where the token is unknown or retired. Rejects with `StoreUnavailableError`. */
	resellerOf(token: string): string | undefined | Promise<string | undefined>;
	/** Forgets what it knows: for the process that has just changed a token. */
	forget(): void;
	close(): void;
}

interface AuthenticatorOptions {
	readonly uses: Pick<TokenUses, 'note'>;
	/** The store's time, in Unix milliseconds. */
	readonly nowMs: () => number;
	readonly monotonicMs?: () => number;
}

interface CachedToken {
	readonly token: Token;
	/** Monotonic milliseconds. */
	readonly readAtMs: number;
	readonly use: NotedUse;
}

/**
 * Looks tokens up and remembers live ones for a while. Two things end that memory: a change of the
 * store's credentials version, looked at every second, is the hint that ends it soon; its age is the
 * promise that ends it even where the store cannot be asked. A token that expires is refused on the
 * spot, and unknown ones are never remembered. The store knows tokens by their hashes only; the short
 * memory here goes by the token itself, because hashing it costs a fifth of a whole request.
 */
export function createAuthenticator(
	store: CredentialReads,
	{ uses, nowMs, monotonicMs = () => performance.now() }: AuthenticatorOptions,
): Authenticator {
	const cache = new Map<string, CachedToken>();
	let version: number | undefined;
	// Counts every forgetting, so that an answer that was on its way meanwhile is not remembered.
	let generation = 0;
	let isChecking = false;

	function forget(): void {
		cache.clear();
		generation++;
	}

	/** The oldest stand first. Nobody may ask for them again, and a token is kept in memory no longer than it serves. */
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
			// Cut off from the store: what is remembered ends by its age.
		} finally {
			isChecking = false;
		}
	}
	const timer = setInterval(checkVersion, VERSION_CHECK_MS);
	timer.unref();

	async function lookUp(text: string): Promise<string | undefined> {
		const generationBefore = generation;
		const readAtMs = monotonicMs();
		const token = await store.findToken(hashToken(text));
		const usedAtMs = nowMs();
		if (!token || !isLiveToken(token, usedAtMs)) return undefined;
		const use = uses.note(token, usedAtMs);
		if (generation === generationBefore) {
			if (cache.size >= MAX_CACHED_TOKENS) cache.delete(cache.keys().next().value as string);
			cache.set(text, { token, readAtMs, use });
		}
		return token.reseller;
	}

	return {
		resellerOf(text) {
			const cached = cache.get(text);
			if (cached) {
				const isFresh = monotonicMs() - cached.readAtMs < TOKEN_CACHE_LIFE_MS;
				const usedAtMs = nowMs();
				if (isFresh && isLiveToken(cached.token, usedAtMs)) {
					cached.use.atMs = usedAtMs;
					return cached.token.reseller;
				}
				cache.delete(text);
			}
			return isWellFormedToken(text) ? lookUp(text) : undefined;
		},
		forget,
		close: () => clearInterval(timer),
	};
}
