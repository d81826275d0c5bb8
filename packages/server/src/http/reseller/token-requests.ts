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
	const endsAtMs = typeof expires_at === 'string' ? parseTimestamp(expires_at) : undefined;
	if (endsAtMs === undefined) return wrong('expires_at', 'must be a time of ISO 8601 with its zone');
	if (allowed_ips === null) return { name, scopes, endsAtMs, allowedIps: null };
	const allowedIps = areStrings(allowed_ips) ? normalizeAllowedIps(allowed_ips) : undefined;
	if (!allowedIps) return wrong('allowed_ips', 'must be 1 to 32 addresses or networks, or null');
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

function areStrings(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
