import { LIMIT_NAMES, normalizeUsername, SUB_USER_STATES, type SubUserState, UNUSABLE_REASONS } from '@bursar/contract';
import { DEFAULT_PAGE_ROWS, MAX_PAGE_ROWS } from '@bursar/contract/limits';
import { normalizeSignInIps } from '@bursar/contract/sign-in-ips';
import type { FastifyRequest } from 'fastify';
import type { CreateSubUserWith } from '../../commands/sub-users/create-with.ts';
import { isTransferAmount } from '../../domain/money.ts';
import type { WantedPairs } from '../../domain/pair-state.ts';
import { isShortText } from '../../domain/short-text.ts';
import type { Limits } from '../../domain/terms.ts';
import { type LimitName, readLimits } from '../sub-user-limits.ts';
import {
	type Intake,
	type Refused,
	readBody,
	readChangeBody,
	readMovementBody,
	subUserIn,
} from './sub-user-request.ts';

type Value = Record<string, unknown>;

/** The sub-user and the limits that the body names. A limit without its form is named in the answer. */
export function readLimitsRequest(
	request: FastifyRequest,
	intake: Intake,
): { readonly username: string; readonly limits: Partial<Limits> } | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	const wanted = subUserIn(body);
	if ('refused' in wanted && wanted.refused !== 'unknown_sub_user') return wanted;
	const limits = limitsIn(body.value);
	if ('refused' in limits) return limits;
	return 'refused' in wanted ? wanted : { ...wanted, limits };
}

/** The new sub-user that the body names, and what it is to have. The types of all fields come first, as in a transfer. */
export function readCreateWithRequest(
	request: FastifyRequest,
	intake: Intake,
): Pick<CreateSubUserWith, 'username' | 'amountCents' | 'limits' | 'note'> | Refused {
	const body = readMovementBody(request, intake);
	if ('refused' in body) return body;
	const { username: sentName, amount_usd_cents: amountCents, limits: sentLimits = {}, note = '' } = body.value;
	if (typeof sentName !== 'string')
		return wrong('username', sentName === undefined ? 'is missing' : 'must be a string');
	if (amountCents !== undefined && typeof amountCents !== 'number')
		return wrong('amount_usd_cents', 'must be a number');
	if (!isObject(sentLimits)) return wrong('limits', 'must be an object');
	if (typeof note !== 'string') return wrong('note', 'must be a string');
	const username = normalizeUsername(sentName);
	if (username === undefined) return { refused: 'invalid_username' };
	if (amountCents !== undefined && !isTransferAmount(amountCents)) return { refused: 'invalid_amount' };
	const limits = newLimitsIn(sentLimits);
	if ('refused' in limits) return limits;
	return isShortText(note, false) ? { username, amountCents, limits, note } : { refused: 'invalid_note' };
}

/** A misspelt limit would be no limit, so each name must be one. */
function newLimitsIn(value: Value): Partial<Limits> | Refused {
	const areKnown = Object.keys(value).every((name) => (LIMIT_NAMES as readonly string[]).includes(name));
	if (areKnown) return limitsOf(value);
	return { refused: 'invalid_limits', message: `limits has a name that is none of ${LIMIT_NAMES.join(', ')}` };
}

function isObject(value: unknown): value is Value {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function limitsIn(value: Value): Partial<Limits> | Refused {
	if (LIMIT_NAMES.some((name) => value[name] !== undefined)) return limitsOf(value);
	return { refused: 'invalid_limits', message: `at least one of ${LIMIT_NAMES.join(', ')} is needed` };
}

function limitsOf(value: Value): Partial<Limits> | Refused {
	const read = readLimits(value);
	if ('limits' in read) return read.limits;
	return { refused: 'invalid_limits', message: `the limit ${read.wrong} ${FORMS[read.wrong]}` };
}

const COUNT_FORM = 'must be an integer of at least 1, or null';
const FORMS: Readonly<Record<LimitName, string>> = {
	day_bytes: COUNT_FORM,
	month_bytes: COUNT_FORM,
	total_bytes: COUNT_FORM,
	connections: 'must be an integer from 1 to 1000000, or null',
	bytes_per_second: 'must be an integer from 8000 to 1000000000000, or null',
	allowed_ips: 'must be 1 to 32 addresses or networks, or null',
	expires_at: 'must be a time of ISO 8601 with its zone, or null',
};

/** The sub-user and the note that the body names. */
export function readNoteRequest(
	request: FastifyRequest,
	intake: Intake,
): { readonly username: string; readonly note: string } | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	const wanted = subUserIn(body);
	if ('refused' in wanted && wanted.refused !== 'unknown_sub_user') return wanted;
	const { note } = body.value;
	if (typeof note !== 'string') return wrong('note', note === undefined ? 'is missing' : 'must be a string');
	if (!isShortText(note, false)) return { refused: 'invalid_note' };
	return 'refused' in wanted ? wanted : { ...wanted, note };
}

/** The sub-user and the addresses that the body names. */
export function readSignInIpsRequest(
	request: FastifyRequest,
	intake: Intake,
): { readonly username: string; readonly signInIps: readonly string[] } | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	const wanted = subUserIn(body);
	if ('refused' in wanted && wanted.refused !== 'unknown_sub_user') return wanted;
	const { sign_in_ips: sent } = body.value;
	if (!Array.isArray(sent) || !sent.every((each) => typeof each === 'string')) {
		return wrong('sign_in_ips', sent === undefined ? 'is missing' : 'must be an array of strings');
	}
	const signInIps = normalizeSignInIps(sent);
	if (!signInIps) return { refused: 'invalid_sign_in_ips' };
	return 'refused' in wanted ? wanted : { ...wanted, signInIps };
}

/** Which page of sub-users the body names. */
export interface WantedSubUsers {
	readonly after: string;
	readonly prefix: string;
	readonly state: SubUserState | undefined;
	readonly pairs: WantedPairs;
	readonly limit: number;
}

export function readSubUserPageRequest(request: FastifyRequest, intake: Intake): WantedSubUsers | Refused {
	const body = readBody(request, intake);
	if ('refused' in body) return body;
	const { after = null, prefix = '', state, usable, reason } = body.value;
	const limit = limitOf(body.value);
	if (limit === undefined) return WRONG_LIMIT;
	if (!isName(after ?? '')) return WRONG_AFTER;
	if (!isName(prefix)) return wrong('prefix', 'must be letters, digits, periods or underscores');
	if (!isOneOf(SUB_USER_STATES, state)) return wrong('state', `must be ${SUB_USER_STATES.join(', ')}, or absent`);
	if (!isOneOf([true, false], usable)) return wrong('usable', 'must be true, false, or absent');
	if (!isOneOf(UNUSABLE_REASONS, reason)) return wrong('reason', `must be ${UNUSABLE_REASONS.join(', ')}, or absent`);
	return { after: (after ?? '') as string, prefix: prefix.toLowerCase(), state, pairs: { usable, reason }, limit };
}

export function limitOf({ limit = DEFAULT_PAGE_ROWS }: Value): number | undefined {
	const isRows = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE_ROWS;
	return isRows ? limit : undefined;
}

function isOneOf<Choice>(choices: readonly Choice[], value: unknown): value is Choice | undefined {
	return value === undefined || choices.includes(value as Choice);
}

/** Whether names can begin with the text, in any case. */
function isName(text: unknown): text is string {
	return typeof text === 'string' && /^[A-Za-z0-9._]{0,64}$/.test(text);
}

export function wrong(field: string, form: string): Refused {
	return { refused: 'invalid_request', message: `the field ${field} of the request body ${form}` };
}

export const WRONG_LIMIT = wrong('limit', `must be an integer from 1 to ${MAX_PAGE_ROWS}`);
export const WRONG_AFTER = wrong('after', 'must be the next of the previous page, or null');
