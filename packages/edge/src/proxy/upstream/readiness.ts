import { connect } from 'node:net';
import type { ListedUpstreams } from './exits.ts';

export interface ExitReadinessOptions {
	readonly upstreams: Pick<ListedUpstreams, 'states' | 'areAllLeftOut' | 'hasAnsweredWithin'>;
	/** At least one. */
	readonly exits: readonly Address[];
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

type Address = { readonly host: string; readonly port: number };

/** An exit that has answered a client since then works, so that this process need not look. */
const KNOWN_MS = 10_000;
/** How often this process looks at most. */
const LOOK_AGAIN_MS = 5_000;
/** @bound An upstream accepts, when the proxy looks whether one can be reached: then it counts as one that cannot. */
const CONNECT_MS = 3_000;

/**
 * Tells why a proxy with these exits should get no clients; `undefined` if it should. While no client shows how the exits
 * are, it connects to them and sends nothing, which needs no destination and no credentials. It does so at the start, and
 * later only if it is asked.
 */
export function createExitReadiness(options: ExitReadinessOptions): () => string | undefined {
	const { upstreams, exits, nowMs = () => performance.now() } = options;
	let areAllAway = false;
	let isLooking = false;
	let lookedAtMs = 0;
	/** The one that accepted last. */
	let last = exits[0];

	const isKnown = () => upstreams.states.some(({ isUp }) => isUp) && upstreams.hasAnsweredWithin(KNOWN_MS);

	async function look(): Promise<void> {
		isLooking = true;
		const found = (last && (await firstToAccept([last]))) ?? (await firstToAccept(exits));
		areAllAway = found === undefined;
		last = found ?? last;
		lookedAtMs = nowMs();
		isLooking = false;
	}

	void look();
	return () => {
		if (upstreams.areAllLeftOut()) return 'every upstream is left out';
		if (isKnown()) return undefined;
		if (!isLooking && nowMs() - lookedAtMs >= LOOK_AGAIN_MS) void look();
		return areAllAway ? 'no upstream can be reached' : undefined;
	};
}

async function firstToAccept(exits: readonly Address[]): Promise<Address | undefined> {
	const done = new AbortController();
	try {
		return await Promise.any(exits.map((exit) => accepted(exit, done.signal)));
	} catch {
		return undefined;
	} finally {
		done.abort();
	}
}

function accepted(exit: Address, signal: AbortSignal): Promise<Address> {
	return new Promise((resolve, reject) => {
		const socket = connect({ host: exit.host, port: exit.port, signal });
		socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('it does not accept in time')));
		socket.on('connect', () => resolve(exit)).on('error', reject);
	});
}
