import {
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MAX_CONNECTIONS,
	MIN_BYTES_PER_SECOND,
} from '@bursar/contract/limits';
import type { SetLimitsRequest } from '@bursar/contract/terms-schemas';
import { InvalidRequestError } from '../errors.ts';
import type { SubUserLimits } from '../sub-user-terms.ts';

type LimitName = keyof SubUserLimits;
type Sent = Omit<SetLimitsRequest, 'username'>;

/**
 * The limits as they are sent. Throws a `TypeError` if a name is not that of a limit, and an `InvalidRequestError` for a
 * value that the service would refuse. JSON turns `NaN` into `null`, which would remove the limit.
 */
export function sentLimits(limits: Partial<SubUserLimits>): Sent {
	const sent = sentNewLimits(limits);
	if (Object.keys(sent).length === 0) throw invalid(`give at least one limit of ${Object.keys(LIMITS).join(', ')}`);
	return sent;
}

/** The same for a new sub-user, which needs no limit. */
export function sentNewLimits(limits: Partial<SubUserLimits>): Sent {
	if (typeof limits !== 'object' || limits === null) throw new TypeError('limits must be an object');
	const unknown = Object.keys(limits).find((name) => !Object.hasOwn(LIMITS, name));
	if (unknown !== undefined) throw new TypeError(`${unknown} is not a limit`);
	const given = (Object.keys(LIMITS) as LimitName[]).filter((name) => limits[name] !== undefined);
	const wrong = given.find((name) => limits[name] !== null && !LIMITS[name].isValid(limits[name]));
	if (wrong !== undefined) throw invalid(`${wrong} must be ${LIMITS[wrong].form}, or null`);
	return Object.fromEntries(given.map((name) => [LIMITS[name].sentName, limits[name]]));
}

function invalid(message: string): InvalidRequestError {
	return new InvalidRequestError(`${message}: nothing was sent`, { code: 'invalid_limits' });
}

interface Limit {
	readonly sentName: keyof Sent;
	readonly form: string;
	isValid(value: unknown): boolean;
}

const LIMITS: Readonly<Record<LimitName, Limit>> = {
	dayBytes: integer('day_bytes', MAX_BYTES),
	monthBytes: integer('month_bytes', MAX_BYTES),
	totalBytes: integer('total_bytes', MAX_BYTES),
	connections: integer('connections', MAX_CONNECTIONS),
	bytesPerSecond: integer('bytes_per_second', MAX_BYTES_PER_SECOND, MIN_BYTES_PER_SECOND),
	allowedIps: {
		sentName: 'allowed_ips',
		form: `1 to ${MAX_ALLOWED_IPS} addresses or networks`,
		isValid(value) {
			if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ALLOWED_IPS) return false;
			return value.every((each) => typeof each === 'string');
		},
	},
	expiresAt: {
		sentName: 'expires_at',
		form: 'a valid Date',
		isValid: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
	},
};

function integer(sentName: keyof Sent, most: number, least = 1): Limit {
	return {
		sentName,
		form: `an integer from ${least} to ${most}`,
		isValid: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
	};
}
