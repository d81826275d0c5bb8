import { page } from '@bursar/terminal';
import type { Config } from '../../config.ts';
import type { SeenRequest } from '../../seen-request.ts';
import type { Finding } from '../../store/examination.ts';
import { CHOSEN_ADDRESS } from './public-url.ts';

const PAGE = page('docs/operating/dashboard.md', 'Put the dashboard on the Internet');
const EFFECT = 'all people seem to come from the proxy, and share the limits of signing in';

/**
 * Whether the address of a client arrives at the service. The request that was seen had an `X-Forwarded-For` with a
 * chosen address, as a malicious client would send it.
 */
export function checkForwarding(
	{ dashboard, publicUrl, trustedProxies }: Pick<Config, 'dashboard' | 'publicUrl' | 'trustedProxies'>,
	seen: SeenRequest | undefined,
): Finding {
	if (!dashboard || publicUrl === undefined) return { state: 'skipped', text: 'There is no public URL.' };
	const isBehindProxy = publicUrl.startsWith('https:');
	if (seen) return seenFinding(seen, isBehindProxy);
	if (!isBehindProxy || trustedProxies.length > 0) {
		return { state: 'skipped', text: 'No service of this store answered at the public URL.' };
	}
	const text = `BURSAR_TRUSTED_PROXIES is not set, although a proxy must end TLS in front: ${EFFECT}.`;
	return { state: 'warning', text, remedy: `Set it to the address of the proxy: ${PAGE}` };
}

function seenFinding({ connectedFrom, isTrusted, forwardedFor, client }: SeenRequest, isBehindProxy: boolean): Finding {
	const isUnchanged = forwardedFor === CHOSEN_ADDRESS;
	if (isUnchanged && isTrusted) {
		const text = `The proxy at ${connectedFrom} passes X-Forwarded-For on as the client wrote it: a client can choose its own address.`;
		const remedy = `Let the proxy replace the header, or append to it. The address of people must not be in BURSAR_TRUSTED_PROXIES: ${PAGE}`;
		return { state: 'problem', text, remedy };
	}
	// Our service speaks no TLS by itself.
	if (isUnchanged && !isBehindProxy) {
		return { state: 'ok', text: `The service is reached without a proxy, and sees this machine as ${client}.` };
	}
	if (isUnchanged || forwardedFor === null) {
		const text = `The proxy at ${connectedFrom} does not send X-Forwarded-For: ${EFFECT}.`;
		const remedy = `Let the proxy send it, and set BURSAR_TRUSTED_PROXIES=${connectedFrom}: ${PAGE}`;
		return { state: 'problem', text, remedy };
	}
	if (!isTrusted) {
		const text = `The proxy at ${connectedFrom} sends X-Forwarded-For, but is not in BURSAR_TRUSTED_PROXIES: ${EFFECT}.`;
		return { state: 'problem', text, remedy: `Set BURSAR_TRUSTED_PROXIES=${connectedFrom}: ${PAGE}` };
	}
	if (client === CHOSEN_ADDRESS) {
		const text = `The proxy at ${connectedFrom} sends X-Forwarded-For. This machine is in BURSAR_TRUSTED_PROXIES itself, so run this on another one to see which address counts.`;
		return { state: 'ok', text };
	}
	return { state: 'ok', text: `The address of clients arrives: the service sees this machine as ${client}.` };
}
