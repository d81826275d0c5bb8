import type { ProxyOptions } from '@bursar/contract/proxy-options';

/** An upstream proxy, as one client connection uses it. */
export interface Exit {
	readonly protocol: 'http' | 'https' | 'socks5';
	/** Without brackets. */
	readonly host: string;
	readonly port: number;
	readonly credentials?: { readonly username: string; readonly password: string } | undefined;
	/** `false` while it is left out: choose another one for further requests. */
	readonly isUp: boolean;
	/** It works. */
	answered(): void;
	/** It could not be connected to. */
	failed(): void;
	/** It refused our credentials, or did not answer. That can be due to the client, or to its destination. */
	refused(): void;
}

export interface Upstreams {
	/** The exit for a client connection of this account, or why there is none. */
	choose(account: string, options: ProxyOptions): Exit | 'invalid_options';
}
