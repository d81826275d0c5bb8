import type { ForgetEvents } from '../../src/commands/events/forget-events.ts';
import type { JudgeUsable } from '../../src/commands/events/judge-usable.ts';
import type { CreditReseller } from '../../src/commands/money/credit.ts';
import type { ForgiveDebt } from '../../src/commands/money/forgive-debt.ts';
import type { GiveBalance, TakeBalance } from '../../src/commands/money/give-take.ts';
import type { PostUsage } from '../../src/commands/money/post-usage.ts';
import type { SetPrice } from '../../src/commands/money/set-price.ts';
import type { AllowSignIn } from '../../src/commands/resellers/allow-sign-in.ts';
import type { CreateReseller } from '../../src/commands/resellers/create.ts';
import type { NoteReseller } from '../../src/commands/resellers/set-note.ts';
import type { ResumeReseller, SuspendReseller } from '../../src/commands/resellers/suspend.ts';
import type { CreateSubUser } from '../../src/commands/sub-users/create.ts';
import type { CreateSubUserWith } from '../../src/commands/sub-users/create-with.ts';
import type { DeleteSubUser } from '../../src/commands/sub-users/delete.ts';
import type { ResetAuthKey } from '../../src/commands/sub-users/reset-auth-key.ts';
import type { SetLimits } from '../../src/commands/sub-users/set-limits.ts';
import type { SetNote } from '../../src/commands/sub-users/set-note.ts';
import type { SetSignInIps } from '../../src/commands/sub-users/set-sign-in-ips.ts';
import type { SuspendSubUser } from '../../src/commands/sub-users/suspend.ts';
import type { CreateToken, EndToken } from '../../src/commands/tokens/further.ts';
import type { RevokeToken, RotateToken } from '../../src/commands/tokens/rotate-revoke.ts';
import type { CreateWebhook } from '../../src/commands/webhooks/create.ts';
import type { DeleteWebhook } from '../../src/commands/webhooks/delete.ts';
import type { RotateWebhookSecret } from '../../src/commands/webhooks/rotate-secret.ts';
import type { SwitchOffWebhook } from '../../src/commands/webhooks/switch-off.ts';
import type { TestWebhook } from '../../src/commands/webhooks/test.ts';
import type { UpdateWebhook } from '../../src/commands/webhooks/update.ts';
import type { FurtherToken, Token } from '../../src/domain/token.ts';
import type { CounterReading } from '../../src/domain/usage.ts';

/** Noon of a UTC day, in Unix milliseconds: for tests in which the time does not matter. */
export const NOON_MS = Date.UTC(2026, 10, 21, 12);

const REQUEST_ID = 'test-request';

/** A proxy auth key that contains the username. */
export function keyOf(username: string, serial = 0): string {
	return `${username.replaceAll(/[^a-z0-9]/g, '')}${serial}`.padEnd(16, '0').slice(-16);
}

/** The stored fields of a token with this hash. */
function madeToken(tokenHash: string) {
	return { tokenHash, tokenTail: tokenHash.slice(-4).padStart(4, '0'), madeBy: 'operator' };
}

export function createToken(reseller: string, tokenHash: string, name = tokenHash): CreateToken {
	return {
		...{ kind: 'create_token', requestId: REQUEST_ID, reseller, id: `id of ${tokenHash}`, ...madeToken(tokenHash) },
		...{ name, scopes: ['read'], endsAtMs: NOON_MS + 86_400_000, allowedIps: null },
	};
}

/** The further token that the rules make from the command. */
export function furtherTokenOf(command: CreateToken, madeAtMs = NOON_MS): FurtherToken {
	const { reseller, tokenHash: hash, tokenTail: tail, madeBy, endsAtMs: expiresAtMs, id, name, allowedIps } = command;
	const scopes = command.scopes as FurtherToken['further']['scopes'];
	return { hash, reseller, tail, madeAtMs, madeBy, expiresAtMs, further: { id, name, scopes, allowedIps } };
}

export function endToken(reseller: string, tokenHash: string): EndToken {
	return { kind: 'end_token', requestId: REQUEST_ID, reseller, id: `id of ${tokenHash}` };
}

/** The token that the rules make from the command. */
export function tokenOf(command: CreateReseller | RotateToken | RevokeToken, madeAtMs = NOON_MS): Token {
	const { reseller, tokenHash, tokenTail, madeBy } = command;
	return { hash: tokenHash, reseller, tail: tokenTail, madeAtMs, madeBy, expiresAtMs: null, further: null };
}

export function createReseller(reseller: string, openingBalanceCents = 0): CreateReseller {
	return {
		kind: 'create_reseller',
		requestId: REQUEST_ID,
		reseller,
		openingBalanceCents,
		...madeToken(`first token of ${reseller}`),
		proxyAuthkey: keyOf(reseller),
	};
}

export function creditReseller(reseller: string, amountCents: number, reference: string): CreditReseller {
	const command = { kind: 'credit_reseller', requestId: REQUEST_ID, reseller, amountCents, reference } as const;
	return amountCents < 0 ? { ...command, reason: 'a mistake' } : command;
}

export function createSubUser(reseller: string, username: string): CreateSubUser {
	const proxyAuthkey = keyOf(username);
	return { kind: 'create_sub_user', requestId: REQUEST_ID, reseller, username, proxyAuthkey };
}

/** A `create_with`. By default, it has nothing but the name. */
export function createSubUserWith(
	reseller: string,
	username: string,
	has: Partial<Pick<CreateSubUserWith, 'amountCents' | 'limits' | 'note' | 'reference'>> = {},
): CreateSubUserWith {
	const { kind: _, ...create } = createSubUser(reseller, username);
	return { kind: 'create_sub_user_with', ...create, username, limits: {}, note: '', ...has };
}

/** A `create` without a usable username. */
export function createNothing(reseller: string): CreateSubUser {
	return { ...createSubUser(reseller, 'nobody'), username: undefined };
}

export function giveBalance(reseller: string, username: string, amountCents: number): GiveBalance {
	return { kind: 'give_balance', requestId: REQUEST_ID, reseller, username, amountCents };
}

export function takeBalance(reseller: string, username: string, amountCents: number): TakeBalance {
	return { kind: 'take_balance', requestId: REQUEST_ID, reseller, username, amountCents };
}

export function resetAuthKey(reseller: string, username: string, serial = 1): ResetAuthKey {
	const proxyAuthkey = keyOf(username, serial);
	return { kind: 'reset_auth_key', requestId: REQUEST_ID, reseller, username, proxyAuthkey };
}

export function rotateToken(reseller: string, tokenHash: string, overlapMs: number): RotateToken {
	return { kind: 'rotate_token', requestId: REQUEST_ID, reseller, ...madeToken(tokenHash), overlapMs };
}

export function revokeToken(reseller: string, tokenHash: string): RevokeToken {
	return { kind: 'revoke_token', requestId: REQUEST_ID, reseller, ...madeToken(tokenHash) };
}

/** A reading of the counter `c1` of the edge `eu-1`, with these bytes up and down. */
export function reading(bytesUp: number, bytesDown: number, changes: Partial<CounterReading> = {}): CounterReading {
	const edge = { edge: 'eu-1', edgeBytesPerMs: Number.POSITIVE_INFINITY };
	const usual = { ...edge, counter: 'c1', username: 'alice', atMs: NOON_MS };
	return { ...usual, bytesUp, bytesDown, ...changes };
}

export function setPrice(reseller: string, microUsdPerGb: number | null): SetPrice {
	return { kind: 'set_price', requestId: REQUEST_ID, reseller, microUsdPerGb };
}

export function forgiveDebt(reseller: string, amountCents: number, reason = 'goodwill'): ForgiveDebt {
	return { kind: 'forgive_debt', requestId: REQUEST_ID, reseller, amountCents, reason };
}

export function suspendSubUser(reseller: string, username: string): SuspendSubUser {
	return { kind: 'suspend_sub_user', requestId: REQUEST_ID, reseller, username };
}

export function setLimits(reseller: string, username: string, limits: SetLimits['limits']): SetLimits {
	return { kind: 'set_limits', requestId: REQUEST_ID, reseller, username, limits };
}

export function setNote(reseller: string, username: string, note: string): SetNote {
	return { kind: 'set_note', requestId: REQUEST_ID, reseller, username, note };
}

export function setSignInIps(reseller: string, username: string, ...signInIps: readonly string[]): SetSignInIps {
	return { kind: 'set_sign_in_ips', requestId: REQUEST_ID, reseller, username, signInIps };
}

export function deleteSubUser(reseller: string, username: string): DeleteSubUser {
	return { kind: 'delete_sub_user', requestId: REQUEST_ID, reseller, username };
}

export function allowSignIn(reseller: string, isAllowed = true): AllowSignIn {
	return { kind: 'allow_sign_in_by_address', requestId: REQUEST_ID, reseller, isAllowed };
}

export function suspendReseller(reseller: string): SuspendReseller {
	return { kind: 'suspend_reseller', requestId: REQUEST_ID, reseller };
}

export function resumeReseller(reseller: string): ResumeReseller {
	return { kind: 'resume_reseller', requestId: REQUEST_ID, reseller };
}

export function noteReseller(reseller: string, note: string): NoteReseller {
	return { kind: 'note_reseller', requestId: REQUEST_ID, reseller, note };
}

export function postUsage(reseller: string, ...usernames: readonly string[]): PostUsage {
	return { kind: 'post_usage', requestId: REQUEST_ID, reseller, usernames };
}

export function judgeUsable(reseller: string, ...usernames: readonly string[]): JudgeUsable {
	return { kind: 'judge_usable', requestId: REQUEST_ID, reseller, usernames };
}

export function forgetEvents(reseller: string, beforeMs: number): ForgetEvents {
	return { kind: 'forget_events', requestId: REQUEST_ID, reseller, beforeMs };
}

/** A secret of 32 bytes, which tests can tell apart. */
export function webhookSecret(name: string): string {
	return `whsec_${Buffer.from(name.padEnd(32, '.').slice(0, 32)).toString('base64')}`;
}

export function createWebhook(
	reseller: string,
	id: string,
	changes: Partial<Pick<CreateWebhook, 'url' | 'types' | 'allowsLoopback' | 'changeId'>> = {},
): CreateWebhook {
	const made = { url: `https://${id}.example.com/events`, secret: webhookSecret(id) };
	return { kind: 'create_webhook', requestId: REQUEST_ID, reseller, id, ...made, ...changes };
}

export function updateWebhook(
	reseller: string,
	id: string,
	changes: Partial<Omit<UpdateWebhook, 'kind' | 'reseller' | 'id'>>,
): UpdateWebhook {
	return { kind: 'update_webhook', requestId: REQUEST_ID, reseller, id, ...changes };
}

export function deleteWebhook(reseller: string, id: string): DeleteWebhook {
	return { kind: 'delete_webhook', requestId: REQUEST_ID, reseller, id };
}

export function rotateWebhookSecret(reseller: string, id: string, secret: string): RotateWebhookSecret {
	return { kind: 'rotate_webhook_secret', requestId: REQUEST_ID, reseller, id, secret: webhookSecret(secret) };
}

export function testWebhook(reseller: string, id: string): TestWebhook {
	return { kind: 'test_webhook', requestId: REQUEST_ID, reseller, id };
}

export function switchOffWebhook(
	reseller: string,
	id: string,
	changes: Partial<Pick<SwitchOffWebhook, 'reason' | 'url' | 'reached'>> = {},
): SwitchOffWebhook {
	const usual = { reason: 'failing', url: `https://${id}.example.com/events`, reached: 0 } as const;
	return { kind: 'switch_off_webhook', requestId: REQUEST_ID, reseller, id, ...usual, ...changes };
}
