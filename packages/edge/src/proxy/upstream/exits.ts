import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type ProxyOptions, writeProxyOptions } from '@bursar/contract/proxy-options';
import { digestOf, lifetimeOf, type SessionDraw, sessionDraw, shareOf } from '../session.ts';
import type { Exit, Upstreams } from './exit.ts';
import { createHealth, type Health } from './health.ts';
import { fillTemplate } from './template.ts';
import { type ListedExit, MAX_SOCKS_BYTES } from './upstream-list.ts';

/** What metrics and the log say about an upstream proxy. It holds no credentials. */
export interface ExitState {
	/** Its position in the list, from 1. */
	readonly number: number;
	/** `HOST:PORT`. */
	readonly address: string;
	/** Whether it is used like the others. `false`: it is left out, or its first try after that has not ended. */
	readonly isUp: boolean;
	/** How often it was unreachable, refused us or did not answer. */
	readonly failures: number;
}

export interface ListedUpstreams extends Upstreams {
	readonly states: readonly ExitState[];
	/** Whether none may be tried now. After a pause, one client must be let through as a try. */
	areAllLeftOut(): boolean;
	/** Whether an exit has answered in the last time, in milliseconds. */
	hasAnsweredWithin(timeMs: number): boolean;
	/** The positions of those that no session can use, because only others have a field for it. */
	readonly withoutSession: readonly number[];
}

export interface UpstreamsOptions {
	/** At least one. */
	readonly exits: readonly ListedExit[];
	/** Whether options are accepted that no template names. Otherwise they are refused. */
	readonly passesUnknownOptions: boolean;
	/** An upstream proxy is left out, or works again. */
	readonly changed?: (state: ExitState) => void;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
	/** Milliseconds since 1970. */
	readonly dateMs?: () => number;
	/** From 0 to 1. */
	readonly random?: () => number;
}

type Credentials = NonNullable<Exit['credentials']>;

interface Candidate {
	readonly listed: ListedExit;
	/** The options that its templates name. */
	readonly named: ReadonlySet<string>;
	/** Whether a template says `{options}`. */
	readonly takesOthers: boolean;
	/** Identifies it, without credentials: with new credentials, sessions stay where they are. */
	readonly id: string;
	readonly health: Health;
	readonly state: ExitState;
}

/** An exit with the credentials for one client. */
interface Filled {
	readonly candidate: Candidate;
	readonly credentials: Credentials;
}

/**
 * @bound A user or a password for an upstream, with the options of the client: a client with longer ones is refused.
 */
const MAX_BYTES = { socks5: MAX_SOCKS_BYTES, http: 4_096, https: 4_096 } as const;

/**
 * Chooses among the exits that take all options of a client and have all that their templates need. While it works, the
 * same session of an account gets the same exit, on all edges with the same list. Rendezvous hashing needs no state for
 * that.
 */
export function createUpstreams(options: UpstreamsOptions): ListedUpstreams {
	const { exits, passesUnknownOptions, changed, nowMs = () => performance.now() } = options;
	const { dateMs = Date.now, random = Math.random } = options;
	const candidates = exits.map((listed, index) => {
		const earlier = exits.slice(0, index).filter((exit) => nameOf(exit) === nameOf(listed)).length;
		return createCandidate(listed, index + 1, `${nameOf(listed)} ${earlier}`, nowMs, changed);
	});
	const known = new Set(candidates.flatMap(({ named }) => [...named]));
	/** An exit that gets the lifetime of a session ends the session by itself. */
	const holdsLifetimes =
		!known.has('lifetime') && !(passesUnknownOptions && candidates.some(({ takesOthers }) => takesOthers));

	/** A session chooses the exit even if no template names it. */
	function isOurs(name: string, sent: ProxyOptions): boolean {
		if (name === 'lifetime') return holdsLifetimes && sent.has('session') && lifetimeOf(sent) !== undefined;
		return name === 'session' && exits.length > 1 && !known.has(name);
	}

	function takes({ named, takesOthers }: Candidate, name: string, sent: ProxyOptions): boolean {
		if (named.has(name) || isOurs(name, sent)) return true;
		if (name === 'lifetime' && holdsLifetimes) return false;
		return passesUnknownOptions && (takesOthers || !known.has(name));
	}

	function drawOf(account: string, sent: ProxyOptions): SessionDraw | undefined {
		const ours =
			holdsLifetimes || !sent.has('lifetime') ? sent : new Map([...sent].filter(([name]) => name !== 'lifetime'));
		return sessionDraw(account, ours, dateMs());
	}

	function fillAll(sent: ProxyOptions, draw: SessionDraw | undefined): readonly Filled[] {
		const session = randomBytes(8).toString('hex');
		const names = [...sent.keys()];
		// An exit knows nothing of the lifetime. So it gets a new session for each.
		const isRenewed = draw !== undefined && draw.endsAtMs !== Number.POSITIVE_INFINITY;
		const options = isRenewed ? new Map(sent).set('session', digestOf(draw.key).slice(0, session.length)) : sent;
		return candidates.flatMap((candidate) => {
			const credentials = names.every((name) => takes(candidate, name, sent)) && fill(candidate, options, session);
			return credentials ? [{ candidate, credentials }] : [];
		});
	}

	function choose(account: string, sent: ProxyOptions, tried: readonly number[]): Exit | 'invalid_options' {
		const draw = drawOf(account, sent);
		const able = fillAll(sent, draw).filter(({ candidate }) => !tried.includes(candidate.state.number));
		const working = able.filter(({ candidate }) => candidate.health.mayBeTried());
		const best = working.length > 0 ? working : able;
		const share = (id: string) => (draw === undefined ? random() : shareOf(id, draw.key));
		const chosen = drawOne(best, share);
		if (!chosen) return 'invalid_options';
		return exitOf(chosen, {
			others: best.length - 1,
			another(tried) {
				const next = choose(account, sent, tried);
				return next === 'invalid_options' ? undefined : next;
			},
			isOver: () => draw !== undefined && dateMs() >= draw.endsAtMs,
		});
	}

	const ofSessions = candidates.filter((candidate) => takes(candidate, 'session', new Map()));
	return {
		choose: (account, sent) => choose(account, sent, []),
		states: candidates.map(({ state }) => state),
		areAllLeftOut: () => candidates.every(({ health }) => !health.mayBeTried()),
		hasAnsweredWithin: (timeMs) => candidates.some(({ health }) => nowMs() - health.answeredAtMs < timeMs),
		withoutSession:
			ofSessions.length === 0
				? []
				: candidates.filter((candidate) => !ofSessions.includes(candidate)).map(({ state }) => state.number),
	};
}

/** Draws with the weights: the smallest of exponential times, each with its weight as its rate. */
function drawOne(among: readonly Filled[], share: (id: string) => number): Filled | undefined {
	let chosen: Filled | undefined;
	let smallest = Number.POSITIVE_INFINITY;
	for (const filled of among) {
		const { id, listed } = filled.candidate;
		const time = -Math.log(share(id)) / listed.weight;
		if (chosen && time >= smallest) continue;
		chosen = filled;
		smallest = time;
	}
	return chosen;
}

/** `undefined` if an option is absent that a template needs, or if the options make it too long. */
function fill(
	{ listed, named, takesOthers }: Candidate,
	options: ProxyOptions,
	session: string,
): Credentials | undefined {
	const unnamed = takesOthers ? Array.from(options).filter(([name]) => !named.has(name)) : [];
	const others = writeProxyOptions(new Map(unnamed));
	const username = fillTemplate(listed.username, { options, others, session });
	const password = fillTemplate(listed.password, { options, others, session });
	if (username === undefined || password === undefined) return undefined;
	const longest = Math.max(Buffer.byteLength(username), Buffer.byteLength(password));
	return longest > MAX_BYTES[listed.protocol] ? undefined : { username, password };
}

interface ExitParts extends Pick<Exit, 'others' | 'another'> {
	/** Whether the lifetime of its session is over. */
	isOver(): boolean;
}

function exitOf({ candidate, credentials }: Filled, { isOver, others, another }: ExitParts): Exit {
	const { listed, health, state } = candidate;
	const { protocol, host, port } = listed;
	const isNeeded = credentials.username !== '' || credentials.password !== '';
	return {
		number: state.number,
		address: state.address,
		protocol,
		host,
		port,
		...(isNeeded && { credentials }),
		get isCurrent() {
			return health.isUp && !isOver();
		},
		others,
		another,
		...health.begin(),
	};
}

function createCandidate(
	listed: ListedExit,
	number: number,
	id: string,
	nowMs: () => number,
	changed: UpstreamsOptions['changed'],
): Candidate {
	const { username, password } = listed;
	const health = createHealth(nowMs, () => changed?.(state));
	const state: ExitState = {
		number,
		address: addressOf(listed),
		get isUp() {
			return health.isUp;
		},
		get failures() {
			return health.failures;
		},
	};
	const named = new Set([...username.names, ...password.names]);
	return { listed, named, takesOthers: username.takesOthers || password.takesOthers, id, health, state };
}

function nameOf(exit: ListedExit): string {
	return `${exit.protocol}://${addressOf(exit)}`;
}

function addressOf({ host, port }: ListedExit): string {
	return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
