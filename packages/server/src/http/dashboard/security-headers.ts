import { isHttps } from './cookie.ts';

const A_YEAR_SECONDS = 31_536_000;

/** The headers of every answer of the dashboard. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
	return {
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		...(isHttps(publicUrl) && { 'strict-transport-security': `max-age=${A_YEAR_SECONDS}` }),
	};
}
