import type { Socket } from 'node:net';
import { type Attempt, connectThrough, isFaultOfExit } from './connect-through.ts';
import type { Exit } from './exit.ts';
import type { TunnelTo } from './handshakes.ts';

/** The way of a request through exits. */
export interface ExitWay {
	readonly kind: 'exit';
	readonly exit: Exit;
	readonly to: TunnelTo;
	/** The request, and those after it, go through another exit. */
	movedTo(exit: Exit): void;
}

/** The exits that a request tries, one after another, until one of them has got something of it. */
export interface Tries extends Attempt {
	readonly kind: 'exit';
	readonly to: TunnelTo;
	/** Goes on to another exit. The result is `false` if there is none, or if the time is over. */
	goOn(): boolean;
}

/** @bound Upstreams that a request tries: then the client gets a 502 or 504. */
const MAX_TRIES = 3;
/** @bound The upstreams that a request tries accept: then the client gets a 504. */
const CONNECT_MS = 10_000;
/** Enough for one packet that is lost, which the system sends again after a second. */
const CONNECT_IF_OTHERS_MS = 3_000;

/** @param nowMs monotonic */
export function createTries(way: ExitWay, nowMs: () => number = () => performance.now()): Tries {
	const endAtMs = nowMs() + CONNECT_MS;
	let { exit } = way;
	let wasRefused = false;
	const tried = [exit.number];
	const leftMs = () => endAtMs - nowMs();
	const mayGoOn = () => tried.length < MAX_TRIES && leftMs() >= CONNECT_IF_OTHERS_MS;

	return {
		kind: 'exit',
		to: way.to,
		get exit() {
			return exit;
		},
		get connectMs() {
			return exit.others > 0 && mayGoOn() ? CONNECT_IF_OTHERS_MS : leftMs();
		},
		refused() {
			exit.refused(wasRefused);
			wasRefused = true;
		},
		goOn() {
			const next = mayGoOn() ? exit.another(tried) : undefined;
			if (!next) return false;
			exit = next;
			tried.push(exit.number);
			way.movedTo(exit);
			return true;
		},
	};
}

/** Opens a tunnel through the exit of a way, or through another one if that exit is at fault. Throws as `connectThrough`. */
export async function openThroughExits(way: ExitWay, opened: (socket: Socket) => void): Promise<Socket> {
	const tries = createTries(way);
	for (;;) {
		try {
			return await connectThrough(tries, tries.to, opened);
		} catch (cause) {
			if (!isFaultOfExit(cause) || !tries.goOn()) throw cause;
		}
	}
}
