import { MAX_SIGN_IN_IPS } from '@bursar/contract/limits';
import { normalizeSignInIp, normalizeSignInIps } from '@bursar/contract/sign-in-ips';

/** The addresses of a text with one a line, or what is wrong with it. */
export type TypedIps =
	| { readonly ips: readonly string[]; readonly problem?: undefined }
	| { readonly problem: 'address'; readonly line: number }
	| { readonly problem: 'too_many' };

export function typedIps(text: string): TypedIps {
	const lines = text.split('\n').map((line) => line.trim());
	const wrong = lines.findIndex((line) => line !== '' && normalizeSignInIp(line) === undefined);
	if (wrong !== -1) return { problem: 'address', line: wrong + 1 };
	const typed = [...new Set(lines.filter((line) => line !== ''))];
	const ips = typed.length > MAX_SIGN_IN_IPS ? undefined : normalizeSignInIps(typed);
	return ips ? { ips } : { problem: 'too_many' };
}
