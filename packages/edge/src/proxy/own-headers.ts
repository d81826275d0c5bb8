import type { IncomingMessage } from 'node:http';

/** They say where a message ends and where it goes, so no `Connection` header takes them away. */
const KEPT: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * Removes what was meant for this proxy alone, and not for the next one: `Proxy-Connection`, and what `Connection` names
 * (RFC 9110, section 7.6.1). proxy-chain removes the headers that are always meant so.
 */
export function removeOwnHeaders(message: IncomingMessage): void {
	// Node reads `headers` out of `rawHeaders` when it is first asked for, so here, before they change.
	const { headers, rawHeaders } = message;
	const own = new Set(['proxy-connection']);
	for (const name of (headers.connection ?? '').split(',')) own.add(name.trim().toLowerCase());
	message.rawHeaders = rawHeaders.filter((_, index) => {
		const name = rawHeaders[index - (index % 2)]?.trim().toLowerCase() ?? '';
		return KEPT.has(name) || !own.has(name);
	});
}
