import { hashToken } from '../credentials.ts';
import { isWellFormedToken } from '../domain/secret-text.ts';
import { isLiveToken, TOKEN_CACHE_LIFE_MS, type Token } from '../domain/token.ts';
import type { CredentialReader } from '../store/store.ts';

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

interface CachedToken {
	readonly token: Token;
	/** Monotonic milliseconds. */
	readonly readAtMs: number;
}

/**
 * Looks tokens up and remembers live ones for a while. Two things end that memory: a change of the
 * store's credentials version, looked at every second, is the hint that ends it soon; its age is the
 * promise that ends it even where the store cannot be asked. A token that expires is refused on the
 * spot, and unknown ones are never remembered. Tokens are known here by their hashes only.
 */
export function createAuthenticator(
	store: CredentialReader,
	{ nowMs, monotonicMs = () => performance.now() }: { nowMs: () => number; monotonicMs?: () => number },
): Authenticator {
	const cache = new Map<string, CachedToken>();
	let version: number | undefined;
	// Counts every forgetting, so that an answer that was on its way meanwhile is not remembered.
	let generation = 0;

	function forget(): void {
		cache.clear();
		generation++;
	}

	async function checkVersion(): Promise<void> {
		try {
			const current = await store.readCredentialsVersion();
			if (current !== version) forget();
			version = current;
		} catch {
			// Cut off from the store: what is remembered ends by its age.
		}
	}
	const timer = setInterval(checkVersion, VERSION_CHECK_MS);
	timer.unref();

	async function lookUp(hash: string): Promise<string | undefined> {
		const generationBefore = generation;
		const token = await store.findToken(hash);
		if (!token || !isLiveToken(token, nowMs())) return undefined;
		if (generation === generationBefore) {
			if (cache.size >= MAX_CACHED_TOKENS) cache.delete(cache.keys().next().value as string);
			cache.set(hash, { token, readAtMs: monotonicMs() });
		}
		return token.reseller;
	}

	return {
		resellerOf(text) {
			if (!isWellFormedToken(text)) return undefined;
			const hash = hashToken(text);
			const cached = cache.get(hash);
			if (!cached) return lookUp(hash);
			if (monotonicMs() - cached.readAtMs < TOKEN_CACHE_LIFE_MS && isLiveToken(cached.token, nowMs())) {
				return cached.token.reseller;
			}
			cache.delete(hash);
			return lookUp(hash);
		},
		forget,
		close: () => clearInterval(timer),
	};
}
