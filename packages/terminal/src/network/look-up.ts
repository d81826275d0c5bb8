import { Resolver } from 'node:dns/promises';

/** The addresses of a name; none, if it has none or no name server answers. Never rejects. */
export type LookUp = (name: string) => Promise<readonly string[]>;

export interface LookUpOptions {
	readonly resolver?: AddressResolver;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
	readonly maxNames?: number;
}

/** The part of Node's resolver that is used here. */
interface AddressResolver {
	resolve4(name: string, options: { readonly ttl: true }): Promise<readonly FoundAddress[]>;
	resolve6(name: string, options: { readonly ttl: true }): Promise<readonly FoundAddress[]>;
}

interface FoundAddress {
	readonly address: string;
	/** Seconds. */
	readonly ttl: number;
}

interface Remembered {
	readonly addresses: Promise<readonly string[]>;
	/** Monotonic; infinite while the name servers are being asked. */
	untilMs: number;
}

/** @bound Characters of the name of a destination: a longer one is refused. */
export const MAX_NAME_LENGTH = 253;
/** @bound A name server answers in one try: then the next one is tried. */
const TIMEOUT_MS = 2_000;
/** @bound Tries with each name server: then the name has no address. */
const TRIES = 2;
/** @bound Addresses of one name and family that are tried: further ones are not. */
const MAX_ADDRESSES = 8;
/**
 * How long addresses of one family wait for those of the other (RFC 8305, section 3): some name servers ignore AAAA.
 * @bound Addresses of one family wait for those of the other: then they are used alone.
 */
const OTHER_FAMILY_MS = 50;
/** @bound Names whose addresses are remembered: the oldest are forgotten. */
const MAX_NAMES = 10_000;
/** @bound Addresses of a name are remembered, even if its name server says longer: then they are looked up again. */
const LONGEST_MS = 60_000;

/**
 * Asks the name servers of the system for both families at once, and remembers addresses for as long as they say. Unlike
 * `getaddrinfo`, this blocks no thread: a name whose servers do not answer delays only its own request. `/etc/hosts` is not
 * read.
 */
export function createLookUp(options: LookUpOptions = {}): LookUp {
	const { resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }), maxNames = MAX_NAMES } = options;
	const { nowMs = () => performance.now() } = options;
	/** The name whose last use is the oldest comes first. */
	const names = new Map<string, Remembered>();

	async function ask(name: string): Promise<readonly FoundAddress[]> {
		const four = resolver.resolve4(name, { ttl: true }).catch(() => []);
		const six = resolver.resolve6(name, { ttl: true }).catch(() => []);
		const first = await Promise.race([four, six]);
		if (first.length === 0) await Promise.all([four, six]);
		const found = await Promise.all([four, six].map((family) => within(OTHER_FAMILY_MS, family)));
		return found.flatMap((addresses) => addresses.slice(0, MAX_ADDRESSES));
	}

	return (name) => {
		if (name.length > MAX_NAME_LENGTH) return Promise.resolve([]);
		const known = names.get(name);
		if (known && nowMs() < known.untilMs) return known.addresses;
		const found = ask(name);
		const remembered: Remembered = {
			addresses: found.then((all) => all.map(({ address }) => address)),
			untilMs: Number.POSITIVE_INFINITY,
		};
		names.delete(name);
		names.set(name, remembered);
		const [oldest] = names.keys();
		if (names.size > maxNames && oldest !== undefined) names.delete(oldest);
		void found.then((all) => {
			const seconds = all.length === 0 ? 0 : Math.min(...all.map(({ ttl }) => ttl));
			remembered.untilMs = nowMs() + Math.min(seconds * 1_000, LONGEST_MS);
		});
		return remembered.addresses;
	};
}

/** A family that has not answered in time has no addresses. */
async function within(ms: number, found: Promise<readonly FoundAddress[]>): Promise<readonly FoundAddress[]> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<readonly FoundAddress[]>((resolve) => {
		timer = setTimeout(resolve, ms, []);
	});
	return Promise.race([found, late]).finally(() => clearTimeout(timer));
}
