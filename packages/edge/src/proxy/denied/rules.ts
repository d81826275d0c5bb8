import { isIP } from 'node:net';
import { addressValue } from '../target/address-value.ts';

/**
 * What a list denies. A look costs microseconds, however long the list is: one step for each label of a name, and one for
 * each length of a network that the list has.
 */
export interface Rules {
	add(entry: DeniedEntry): void;
	/** Whether it denies a name, or an address, at this port. */
	denies(host: string, port: number): boolean;
}

/** A name, a network in the form of `normalizeAllowedIp`, or a port of all destinations. */
export type DeniedEntry =
	| { readonly kind: 'name' | 'network'; readonly text: string; readonly port: number | undefined }
	| { readonly kind: 'port'; readonly port: number };

type Ports = 'all' | Set<number>;

/** The networks of one length, by their bits. */
interface Networks {
	/** How many bits of an address stand behind those of the network. */
	readonly shift: bigint;
	readonly ports: Map<bigint, Ports>;
}

export function createRules(): Rules {
	const names = new Map<string, Ports>();
	const networks = { 4: new Map<number, Networks>(), 6: new Map<number, Networks>() };
	const closed = new Set<number>();

	function deniesAddress(address: string, port: number): boolean {
		if (networks[4].size + networks[6].size === 0) return false;
		const { family, value } = addressValue(address);
		for (const { shift, ports } of networks[family].values()) {
			if (contains(ports.get(value >> shift), port)) return true;
		}
		return false;
	}

	/** A name is denied with all names below it. */
	function deniesName(name: string, port: number): boolean {
		for (let rest = name; ; ) {
			if (contains(names.get(rest), port)) return true;
			const dot = rest.indexOf('.');
			if (dot === -1) return false;
			rest = rest.slice(dot + 1);
		}
	}

	function addNetwork(text: string, port: number | undefined): void {
		const [first = '', bitsText] = text.split('/');
		const { family, value } = addressValue(first);
		const all = family === 4 ? 32 : 128;
		const bits = Number(bitsText ?? all);
		const shift = BigInt(all - bits);
		const ofLength = networks[family].get(bits) ?? { shift, ports: new Map() };
		networks[family].set(bits, ofLength);
		add(ofLength.ports, value >> shift, port);
	}

	return {
		add(entry) {
			if (entry.kind === 'port') closed.add(entry.port);
			else if (entry.kind === 'name') add(names, plainName(entry.text), entry.port);
			else addNetwork(entry.text, entry.port);
		},
		denies(host, port) {
			if (closed.has(port)) return true;
			return isIP(host) === 0 ? deniesName(plainName(host), port) : deniesAddress(host, port);
		},
	};
}

/** The form in which names are compared. */
function plainName(name: string): string {
	return name.toLowerCase().replace(/\.+$/, '');
}

function add<Key>(map: Map<Key, Ports>, key: Key, port: number | undefined): void {
	const known = map.get(key);
	if (port === undefined || known === 'all') map.set(key, 'all');
	else if (known) known.add(port);
	else map.set(key, new Set([port]));
}

function contains(ports: Ports | undefined, port: number): boolean {
	return ports === 'all' || (ports?.has(port) ?? false);
}
