import type { ProxyOptions } from '@bursar/contract/proxy-options';

/** An upstream proxy, for one connection of a client. */
export interface Exit {
	/** Its position in the list, from 1. */
	readonly number: number;
	/** `HOST:PORT`, for the log. */
	readonly address: string;
	readonly protocol: 'http' | 'https' | 'socks5';
	/** Without brackets. */
	readonly host: string;
	readonly port: number;
	readonly credentials?: { readonly username: string; readonly password: string } | undefined;
	/** `false` while it is left out, and once the lifetime of its session is over: further requests must choose again. */
	readonly isCurrent: boolean;
	/** How many others are left that are as good. */
	readonly others: number;
	/** Chooses among the others that are not at these positions. Those that are left out come last. */
	another(tried: readonly number[]): Exit | undefined;
	/** It has answered. */
	answered(): void;
	/** It could not be connected to. */
	failed(): void;
	/**
	 * It refused the credentials of this proxy, or did not answer. The cause can also be the client or its destination, and
	 * more so if it `isRepeated`: another exit has refused the same request before.
	 */
	refused(isRepeated: boolean): void;
}

export interface Upstreams {
	/** The exit for a client connection of this account, or why there is none. */
	choose(account: string, options: ProxyOptions): Exit | 'invalid_options';
}
