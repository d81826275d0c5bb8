import type { ProxyOptions } from '@bursar/contract/proxy-options';

/** An upstream proxy, for one connection of a client. */
export interface Exit {
	readonly protocol: 'http' | 'https' | 'socks5';
	/** Without brackets. */
	readonly host: string;
	readonly port: number;
	readonly credentials?: { readonly username: string; readonly password: string } | undefined;
	/** `false` while it is left out: further requests must use another one. */
	readonly isUp: boolean;
	/** It has answered. */
	answered(): void;
	/** It could not be connected to. */
	failed(): void;
	/** It refused the credentials of this proxy, or did not answer. The cause can also be the client or its destination. */
	refused(): void;
}

export interface Upstreams {
	/** The exit for a client connection of this account, or why there is none. */
	choose(account: string, options: ProxyOptions): Exit | 'invalid_options';
}
