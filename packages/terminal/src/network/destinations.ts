import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '@bursar/contract/public-address';
import ipaddr from 'ipaddr.js';
import { createLookUp, MAX_NAME_LENGTH } from './look-up.ts';

/** A destination that a client asks for: an address, or a name with its addresses. */
export interface DestinationPolicy {
	/**
	 * The addresses to connect to, or why there are none. `refused`: the destination is an address of a private network, of
	 * this machine, or another special one. Names are resolved only here, because a second look-up could differ. Remembered
	 * addresses are checked again at each use.
	 */
	resolve(host: string, port: number): Promise<Resolved>;
	/**
	 * Whether an upstream proxy may be asked for it. The upstream resolves names, so only addresses and `localhost` are
	 * checked. A host that is neither an address nor an ordinary name is refused: the upstream may read `127.1` as an
	 * address.
	 */
	mayAskUpstream(host: string, port: number): boolean;
	/** Whether clients may use this port of a destination. */
	isOpenPort(port: number): boolean;
}

/** Ports of mail servers. If spam leaves from here, the whole address gets blocked. */
const MAIL_PORTS: readonly number[] = [25, 465, 587];

type Resolved = readonly Address[] | 'refused' | 'unresolvable';

export interface Address {
	readonly address: string;
	readonly family: 4 | 6;
}

export interface AllowedDestination {
	/** In any form, without brackets. */
	readonly address: string;
	readonly port: number;
}

export interface DestinationOptions {
	/** Allows every address. */
	readonly allowPrivate: boolean;
	/** Destinations that are always allowed. */
	readonly allowed?: readonly AllowedDestination[];
	/** Whether an address is one of this machine, though no interface has it. */
	readonly isRoutedHere?: ((address: string) => boolean) | undefined;
	/** Closed ports. Default: those of mail. */
	readonly closedPorts?: readonly number[] | undefined;
	/** If present, all other ports are closed. */
	readonly openPorts?: readonly number[] | undefined;
	readonly lookUp?: (name: string) => Promise<readonly string[]>;
	/** May throw. Then no destination is allowed. */
	readonly ownAddresses?: () => ReadonlySet<string>;
}

const LOOPBACK = ['127.0.0.1', '::1'];

/** Throws if the addresses of this machine are needed and cannot be read. */
export function createDestinationPolicy(options: DestinationOptions): DestinationPolicy {
	const { allowPrivate, lookUp = createLookUp(), ownAddresses = createOwnAddresses(), isRoutedHere } = options;
	if (!allowPrivate) ownAddresses();
	const allowed = new Set(options.allowed?.map(({ address, port }) => destinationOf(address, port)));
	const closedPorts = new Set(options.closedPorts ?? MAIL_PORTS);
	const openPorts = options.openPorts && new Set(options.openPorts);

	function isAllowed(address: string, port: number): boolean {
		if (allowPrivate || allowed.has(destinationOf(address, port))) return true;
		return isPublicAddress(address) && !ownAddresses().has(plain(address)) && !isRoutedHere?.(address);
	}

	return {
		async resolve(host, port) {
			const name = nameOf(host);
			const found = isIP(name) !== 0 ? [name] : isLocalName(name) ? LOOPBACK : await lookUp(name).catch(() => []);
			if (found.length === 0) return 'unresolvable';
			const addresses = found.filter((address) => isAllowed(address, port));
			if (addresses.length === 0) return 'refused';
			return addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
		},
		mayAskUpstream(host, port) {
			const name = nameOf(host);
			if (isIP(name) !== 0) return isAllowed(name, port);
			if (isLocalName(name)) return LOOPBACK.every((address) => isAllowed(address, port));
			return isUsualName(name);
		},
		isOpenPort: (port) => !closedPorts.has(port) && (openPorts?.has(port) ?? true),
	};
}

function destinationOf(address: string, port: number): string {
	return `${plain(address)} ${port}`;
}

/** A form that is the same for all spellings of an address. */
function plain(address: string): string {
	return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

function nameOf(host: string): string {
	return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function isLocalName(name: string): boolean {
	return /(^|\.)(localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)\.?$/.test(name);
}

/** Its last label begins with a letter, so no program reads it as a number. */
function isUsualName(name: string): boolean {
	const labels = name.replace(/\.$/, '').split('.');
	return (
		name.length <= MAX_NAME_LENGTH && labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? '')
	);
}

const LABEL = /^[a-z0-9_-]{1,63}$/;
const OWN_ADDRESSES_MS = 10_000;

/**
 * The addresses of this machine, read every ten seconds. A connection to one of them would bypass its firewall. Throws if
 * they are due and cannot be read.
 *
 * @param nowMs monotonic milliseconds
 */
export function createOwnAddresses(
	read: () => readonly string[] = interfaceAddresses,
	nowMs = () => performance.now(),
): () => ReadonlySet<string> {
	let own: ReadonlySet<string> = new Set();
	let readAtMs = Number.NEGATIVE_INFINITY;
	return () => {
		if (nowMs() - readAtMs > OWN_ADDRESSES_MS) {
			own = new Set(read().map(plain));
			readAtMs = nowMs();
		}
		return own;
	};
}

/** Whether an address is one of this machine. If these cannot be read, all are. */
export function createIsOwn(ownAddresses = createOwnAddresses()): (address: string) => boolean {
	return (address) => {
		try {
			return ownAddresses().has(plain(address));
		} catch {
			return true;
		}
	};
}

function interfaceAddresses(): readonly string[] {
	try {
		return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
	} catch (cause) {
		const why = (cause as Error).message;
		throw new Error(
			`the addresses of this machine, which users must not reach, cannot be read. RestrictAddressFamilies= of a unit must name AF_NETLINK (${why})`,
			{ cause },
		);
	}
}
