import type { CheckAnswer, CheckRefusal, RefusedCounter, UsageAnswer } from '@bursar/contract/edge';

const REFUSALS: readonly string[] = [
	'wrong_pair',
	'throttled',
	'unavailable',
	'suspended',
	'expired',
	'address_not_allowed',
	'exhausted',
	'limit_reached',
] satisfies CheckRefusal[];

/** `limit_reached`: a limit of bytes. An older service uses it for a limit of connections too. */
export type PairRefusal = CheckRefusal | 'connection_limit_reached';

export interface PairAnswer extends Omit<CheckAnswer, 'reason' | 'limit'> {
	readonly reason: PairRefusal | null;
}

export interface CheckAnswers {
	/** In the order of the checks. */
	readonly answers: readonly PairAnswer[];
	/** Whether any account may sign in by address. An older service does not say it. */
	readonly signsInByAddress: boolean | undefined;
}

/** The answers to this many checks; `undefined` if this is no such answer. */
export function readCheckAnswers(answer: unknown, expected: number): CheckAnswers | undefined {
	const { checks, signs_in_by_address } = fieldsOf(answer);
	if (!Array.isArray(checks) || checks.length !== expected) return undefined;
	const answers = checks.map(readCheckAnswer);
	const signsInByAddress = typeof signs_in_by_address === 'boolean' ? signs_in_by_address : undefined;
	return answers.every((one) => one !== undefined) ? { answers, signsInByAddress } : undefined;
}

/** An older service sends no limits, and no reseller. A newer one may have reasons that this version does not know: they refuse the pair. */
function readCheckAnswer(value: unknown): PairAnswer | undefined {
	const { ok, username, key_id, reason, recheck_ms, ...others } = fieldsOf(value);
	const { reseller = null, left_bytes = null, max_connections = null, ends_in_ms = null, allowed_ips = null } = others;
	const { max_bytes_per_second = null } = others;
	const areNumbers = [left_bytes, max_connections, ends_in_ms].every(
		(each) => each === null || Number.isSafeInteger(each),
	);
	const areTexts =
		allowed_ips === null || (Array.isArray(allowed_ips) && allowed_ips.every((ip) => typeof ip === 'string'));
	const isName = reseller === null || typeof reseller === 'string';
	// At none, a connection would wait for ever.
	const isSpeed =
		max_bytes_per_second === null || (Number.isSafeInteger(max_bytes_per_second) && Number(max_bytes_per_second) > 0);
	if (!Number.isFinite(recheck_ms) || !areNumbers || !isSpeed || !areTexts || !isName) return undefined;
	const left_reason = others.left_reason === 'limit_reached' ? 'limit_reached' : 'exhausted';
	const answer = {
		...(value as CheckAnswer),
		reseller,
		left_bytes: left_bytes as number | null,
		left_reason: left_bytes === null ? null : left_reason,
		max_connections: max_connections as number | null,
		max_bytes_per_second: max_bytes_per_second as number | null,
		ends_in_ms: ends_in_ms as number | null,
		allowed_ips: allowed_ips as string[] | null,
	} satisfies CheckAnswer;
	if (ok === true) return typeof username === 'string' && typeof key_id === 'string' ? answer : undefined;
	if (typeof reason !== 'string') return undefined;
	if (reason === 'limit_reached' && others.limit === 'connections')
		return { ...answer, reason: 'connection_limit_reached' };
	return REFUSALS.includes(reason) ? answer : { ...answer, reason: 'wrong_pair' };
}

/** The answer to this many readings; `undefined` if this is no such answer. */
export function readUsageAnswer(answer: unknown, expected: number): UsageAnswer | undefined {
	const { counted, repeated, refused } = fieldsOf(answer);
	if (!Array.isArray(refused) || !refused.every((entry) => isRefusedCounter(entry, expected))) return undefined;
	if ((counted as number) + (repeated as number) + refused.length !== expected) return undefined;
	return answer as UsageAnswer;
}

/** The name of the edge that joined; `undefined` if this is no such answer. */
export function readJoinAnswer(answer: unknown): string | undefined {
	const { edge } = fieldsOf(answer);
	return typeof edge === 'string' && /^[a-z0-9.-]{1,63}$/.test(edge) ? edge : undefined;
}

function isRefusedCounter(value: unknown, expected: number): value is RefusedCounter {
	const { place: index, reason } = fieldsOf(value);
	return (
		Number.isInteger(index) && (index as number) >= 0 && (index as number) < expected && typeof reason === 'string'
	);
}

function fieldsOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
