import { normalizeAllowedIps } from '@bursar/contract/allowed-ips';
import type { FastifyRequest } from 'fastify';
import type { CreateToken } from '../../commands/tokens/further.ts';
import { parseTimestamp } from '../../domain/usage-report.ts';
import { type Intake, type Refused, readChangeBody } from './sub-user-request.ts';
import { wrong } from './terms-requests.ts';

/** The token that the body describes. The rules decide whether it may be made. */
export function readCreateToken(
	request: FastifyRequest,
	intake: Intake,
): Pick<CreateToken, 'name' | 'scopes' | 'endsAtMs' | 'allowedIps'> | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	const { name, scopes, expires_at, allowed_ips = null } = body.value;
	if (typeof name !== 'string') return wrong('name', name === undefined ? 'is missing' : 'must be a string');
	if (!areStrings(scopes)) return wrong('scopes', scopes === undefined ? 'is missing' : 'must be a list of strings');
	if (typeof expires_at !== 'string') {
		return wrong('expires_at', expires_at === undefined ? 'is missing' : 'must be a string');
	}
	if (allowed_ips !== null && !areStrings(allowed_ips))
		return wrong('allowed_ips', 'must be a list of strings, or null');
	const endsAtMs = parseTimestamp(expires_at);
	if (endsAtMs === undefined) return notMade('the end of a token must be a time of ISO 8601 with its zone');
	const allowedIps = allowed_ips && normalizeAllowedIps(allowed_ips);
	if (allowedIps === undefined) return notMade('a token has 1 to 32 addresses or networks, or null');
	return { name, scopes, endsAtMs, allowedIps };
}

/** The token that the body names. Text that is no id gets the same answer as the id of a token that does not exist. */
export function readTokenChange(request: FastifyRequest, intake: Intake): { readonly id: string } | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	const { id } = body.value;
	if (typeof id !== 'string') return wrong('id', id === undefined ? 'is missing' : 'must be a string');
	return /^tok_[0-9A-Za-z]{22}$/.test(id) ? { id } : { refused: 'unknown_token' };
}

function notMade(message: string): Refused {
	return { refused: 'invalid_token', message };
}

function areStrings(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
