import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { ProxyOptions } from '@bursar/contract/proxy-options';
import { digestOf, lifetimeOf, sessionDraw, shareOf } from '../session.ts';
import { type AddressHealth, createAddressHealth } from './address-health.ts';
import { addressIn, holdsAddress, type ListedAddress } from './from-list.ts';

/** The addresses from which connections to destinations leave. */
export interface OutgoingAddresses {
	/** Whether this option of a client has a meaning here. */
	takes(name: string, sent: ProxyOptions): boolean;
	/** The addresses for one connection of this account. `invalid_options`: it asks for one that it may not use. */
	choose(account: string, options: ProxyOptions): OutgoingChoice | 'invalid_options';
	readonly states: readonly OutgoingState[];
	/** Whether none may be used now. */
	areAllLeftOut(): boolean;
}

/** The addresses for one connection of a client. */
export interface OutgoingChoice {
	/** By what the address is drawn; empty if at random. After another draw, a kept connection must not be used again. */
	readonly drawnBy: string;
	/** Whether there is any of this family, left out or not. */
	has(family: 4 | 6): boolean;
	/**
	 * The next one to try, of one of these families. `undefined`: there is none, or all of them have failed. Those that
	 * are left out are tried only if all are: then the one that failed longest ago.
	 */
	next(families: ReadonlySet<4 | 6>): OutgoingAddress | undefined;
}

export interface OutgoingAddress {
	readonly address: string;
	readonly family: 4 | 6;
	/** A connection was bound to it. */
	worked(): void;
	/** No connection can be bound to it now. */
	failed(): void;
}

/** What metrics and the log say about an entry of the list. */
export interface OutgoingState {
	/** Its position in the list, from 1. */
	readonly number: number;
	/** The address or the network. */
	readonly address: string;
	readonly isUp: boolean;
	readonly failures: number;
}

export interface OutgoingOptions {
	/** At least one. */
	readonly list: readonly ListedAddress[];
	/** Whether clients may ask for an address of the list. */
	readonly takesFrom: boolean;
	/** An entry is left out, or works again. */
	readonly changed?: (state: OutgoingState) => void;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
	/** Milliseconds since 1970. */
	readonly dateMs?: () => number;
	/** From 0 to 1. */
	readonly random?: () => number;
}

interface Entry {
	readonly listed: ListedAddress;
	readonly health: AddressHealth;
	readonly state: OutgoingState;
}

/** What a client asks for: some entries, and perhaps one address of them. */
interface Asked {
	readonly entries: readonly Entry[];
	readonly address?: string;
}

/** A number of the list, from 1. */
const NUMBER = /^[1-9]\d{0,2}$/;

/**
 * Draws an entry for each connection, and an address out of a network. The same session of an account gets the same one, as
 * long as the list is the same and the address works. Rendezvous hashing needs no state for that, and if the list changes, few
 * sessions move.
 */
export function createOutgoingAddresses(options: OutgoingOptions): OutgoingAddresses {
	const { list, takesFrom, changed, nowMs = () => performance.now() } = options;
	const { dateMs = Date.now, random = Math.random } = options;
	const entries = list.map((listed, index) => createEntry(listed, index + 1, nowMs, changed));

	function askedBy(from: string | undefined): Asked | undefined {
		if (from === undefined) return { entries };
		if (isIPv4(from)) {
			const entry = entries.find(({ listed }) => holdsAddress(listed, from));
			return entry && { entries: [entry], address: from };
		}
		const entry = NUMBER.test(from) ? entries[Number(from) - 1] : undefined;
		return entry && { entries: [entry] };
	}

	return {
		takes(name, sent) {
			if (name === 'lifetime') return sent.has('session') && lifetimeOf(sent) !== undefined;
			return name === 'session' || (takesFrom && name === 'from');
		},
		choose(account, sent) {
			const asked = askedBy(takesFrom ? sent.get('from') : undefined);
			if (!asked) return 'invalid_options';
			return createChoice(asked, sessionDraw(account, sent, dateMs())?.key, random);
		},
		states: entries.map(({ state }) => state),
		areAllLeftOut: () => entries.every(({ health }) => health.isLeftOut()),
	};
}

function createChoice({ entries, address }: Asked, session: string | undefined, random: () => number): OutgoingChoice {
	/** How often each has failed here. */
	const failed = new Map<Entry, number>();

	function draw(among: readonly Entry[]): Entry | undefined {
		if (session === undefined) return among[Math.floor(random() * among.length)];
		let chosen: Entry | undefined;
		let highest = 0;
		for (const entry of among) {
			const share = shareOf(session, entry.listed.text);
			if (share <= highest) continue;
			chosen = entry;
			highest = share;
		}
		return chosen;
	}

	/** After a failure, another address of the same network is tried. */
	function addressOf(entry: Entry): string {
		const { listed } = entry;
		if (address !== undefined) return address;
		if (listed.size === 1n) return addressIn(listed, 0n);
		const tries = String(failed.get(entry) ?? 0);
		const random = session === undefined ? randomBytes(16).toString('hex') : digestOf(session, listed.text, tries);
		return addressIn(listed, BigInt(`0x${random}`));
	}

	function failedLongestAgo(among: readonly Entry[]): Entry | undefined {
		const untried = among.filter((entry) => !failed.has(entry));
		return untried.toSorted((one, other) => one.health.failedAtMs - other.health.failedAtMs)[0];
	}

	return {
		drawnBy: session ?? '',
		has: (family) => entries.some(({ listed }) => listed.family === family),
		next(families) {
			// A client that asks for an address gets no other one.
			if (address !== undefined && failed.size > 0) return undefined;
			const fitting = entries.filter(({ listed }) => families.has(listed.family));
			const entry = draw(fitting.filter(({ health }) => !health.isLeftOut())) ?? failedLongestAgo(fitting);
			if (!entry) return undefined;
			const { health, listed } = entry;
			return {
				address: addressOf(entry),
				family: listed.family,
				worked: health.worked,
				failed() {
					failed.set(entry, (failed.get(entry) ?? 0) + 1);
					// A client may ask for an address of a network that is not there. Others must not lose the network.
					if (address === undefined || listed.size === 1n) health.failed();
				},
			};
		},
	};
}

function createEntry(
	listed: ListedAddress,
	number: number,
	nowMs: () => number,
	changed: OutgoingOptions['changed'],
): Entry {
	// Of a network, a single address may be missing, or have no free port.
	const health = createAddressHealth(listed.size > 1n ? 1 : 0, nowMs, () => changed?.(state));
	const state: OutgoingState = {
		number,
		address: listed.text,
		get isUp() {
			return health.isUp;
		},
		get failures() {
			return health.failures;
		},
	};
	return { listed, health, state };
}
