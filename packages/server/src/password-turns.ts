import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** For whom a password is hashed or verified. */
export interface PasswordTurn {
	/** Strangers are those who try to sign in. People are known: they have a session or a link. */
	readonly group: Group;
	/** The site of a stranger, or the person. */
	readonly owner: string;
}

type Group = 'people' | 'strangers';

interface Waiting {
	readonly owner: string;
	readonly start: () => void;
}

/**
 * Each computation takes 19 MiB and a thread of Node's pool for tens of milliseconds.
 * @bound Passwords that are hashed at once, with 19 MiB each: the rest waits.
 */
const AT_ONCE = 2;
/** How much waits, for each group. */
const BOUNDS = {
	ownerOf: ({ owner }: Waiting) => owner,
	/**
	 * @bound Passwords that wait to be hashed, of strangers, and again of people who are known: further ones are
	 * answered `unavailable`. Both groups take turns.
	 */
	maxWaiting: 16,
	/**
	 * @bound Passwords that wait to be hashed of one person or one network (IPv6, a /48): further ones are answered
	 * `unavailable`.
	 */
	maxOfOwner: 4,
};

const queues: Readonly<Record<Group, FairQueue<Waiting>>> = {
	people: createFairQueue(BOUNDS),
	strangers: createFairQueue(BOUNDS),
};
let computing = 0;
let previousGroup: Group = 'strangers';

/**
 * Hashes or verifies a password when it is its turn. The two groups take turns, and in each group the owners do. So no
 * owner keeps the others out. Returns `undefined`, without running it, if as many wait as may wait.
 */
export function inPasswordTurn<Result>(
	{ group, owner }: PasswordTurn,
	compute: () => Promise<Result>,
): Promise<Result> | undefined {
	const { promise: started, resolve: start } = Promise.withResolvers<void>();
	if (!queues[group].add({ owner, start })) return undefined;
	startNext();
	return started.then(compute).finally(() => {
		computing--;
		startNext();
	});
}

function startNext(): void {
	if (computing === AT_ONCE) return;
	const groups: readonly Group[] = previousGroup === 'people' ? ['strangers', 'people'] : ['people', 'strangers'];
	for (const group of groups) {
		const [next] = queues[group].take(1);
		if (!next) continue;
		computing++;
		previousGroup = group;
		next.start();
		return;
	}
}
