import { normalizeAllowedIps } from '@bursar/contract/allowed-ips';
import type { SubUserLimits } from '@bursar/contract/dashboard';
import type { Limits } from '../../../domain/terms.ts';
import { parseTimestamp } from '../../../domain/usage-report.ts';
import { timeOrNull } from '../calls/times.ts';

export function limitsView(limits: Limits): SubUserLimits {
	const { dayBytes, monthBytes, totalBytes, connections, allowedIps, expiresAtMs } = limits;
	return {
		day_bytes: dayBytes,
		month_bytes: monthBytes,
		total_bytes: totalBytes,
		connections,
		allowed_ips: allowedIps && [...allowedIps],
		expires_at: timeOrNull(expiresAtMs),
	};
}

/** The limits that a page sets; `undefined` if addresses or a time have not their form. The rules look at the rest. */
export function readLimits(sent: Partial<SubUserLimits>): Partial<Limits> | undefined {
	const { expires_at: expiry } = sent;
	const allowedIps = sent.allowed_ips && normalizeAllowedIps(sent.allowed_ips);
	const expiresAtMs = typeof expiry === 'string' ? parseTimestamp(expiry) : expiry;
	if ((sent.allowed_ips && !allowedIps) || (typeof expiry === 'string' && expiresAtMs === undefined)) return undefined;
	return {
		...(sent.day_bytes !== undefined && { dayBytes: sent.day_bytes }),
		...(sent.month_bytes !== undefined && { monthBytes: sent.month_bytes }),
		...(sent.total_bytes !== undefined && { totalBytes: sent.total_bytes }),
		...(sent.connections !== undefined && { connections: sent.connections }),
		...(allowedIps !== undefined && { allowedIps }),
		...(expiresAtMs !== undefined && { expiresAtMs }),
	};
}
