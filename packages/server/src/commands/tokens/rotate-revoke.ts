import { isFurther, isRotationPending, MAX_TOKEN_OVERLAP_MS, type Token } from '../../domain/token.ts';
import type { AccountCommand } from '../command.ts';
import { happened } from '../happened.ts';
import { type Decision, refused, type Verb } from '../verb.ts';
import { newToken, type Replaced, type TokenMaking } from './new-token.ts';

export interface RotateToken extends AccountCommand, TokenMaking {
	readonly kind: 'rotate_token';
	/** How long the previous token stays valid, in milliseconds. */
	readonly overlapMs: number;
}

export interface RevokeToken extends AccountCommand, TokenMaking {
	readonly kind: 'revoke_token';
}

/**
 * Makes a new token. The previous one stays valid during the overlap; one rotation at a time (docs/api.md 5.4). Further
 * tokens stay as they are.
 */
export const rotateToken: Verb<RotateToken, Replaced, 'unknown_reseller' | 'invalid_overlap' | 'rotation_pending'> = {
	kind: 'rotate_token',
	calls: ['/token/rotate'],
	giver: 'person',
	needs: () => ({ tokens: true }),
	decide(books, command, nowMs) {
		const { reseller, overlapMs } = command;
		if (!books.account(reseller, reseller)) return refused('unknown_reseller');
		if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > MAX_TOKEN_OVERLAP_MS) {
			return refused('invalid_overlap');
		}
		const tokens = books.tokensOf(reseller);
		if (isRotationPending(tokens, nowMs)) return refused('rotation_pending');
		const retireAtMs = nowMs + overlapMs;
		// Drops the tokens that an earlier rotation retired: no process accepts them any more.
		const current = tokens.filter(({ expiresAtMs }) => expiresAtMs === null);
		const retired = current.map((token) => ({ ...token, expiresAtMs: retireAtMs }));
		const further = tokens.filter(isFurther);
		return replaced(command, [...retired, ...further, newToken(command, nowMs)], nowMs, retireAtMs);
	},
};

/**
 * Ends every token of the reseller now, further ones too, even if a rotation is pending, and makes a new one. Their rows
 * are deleted, so that a clock that is set back cannot make one valid again.
 */
export const revokeToken: Verb<RevokeToken, Replaced, 'unknown_reseller'> = {
	kind: 'revoke_token',
	calls: ['/token/end-all', '/operator/end-tokens'],
	giver: 'person',
	needs: () => ({ tokens: true }),
	decide(books, command, nowMs) {
		if (!books.account(command.reseller, command.reseller)) return refused('unknown_reseller');
		return replaced(command, [newToken(command, nowMs)], nowMs, nowMs);
	},
};

function replaced(
	command: RotateToken | RevokeToken,
	tokens: readonly Token[],
	nowMs: number,
	previousExpiresAtMs: number,
): Decision<Replaced, never> {
	const { kind, reseller, tokenTail, madeBy } = command;
	const data = {
		change: kind === 'rotate_token' ? 'rotated' : 'ended',
		token_tail: tokenTail,
		made_by: madeBy,
		previous_expires_at: new Date(previousExpiresAtMs).toISOString(),
	} as const;
	return {
		outcome: { ok: true, previousExpiresAtMs },
		effects: [{ kind: 'replace_tokens', reseller, tokens }, happened(command, nowMs, 'token.rotated', data)],
	};
}
