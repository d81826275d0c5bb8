/** Whether a host is this machine. An IPv6 address may have the brackets of a URL. */
export function isLoopback(host: string): boolean {
	return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
