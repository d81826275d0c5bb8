import { CLOCK, createSpeedLine, type SpeedLine } from './speed-line.ts';
import type { AccountWaiting, SpeedShare } from './speed-shares.ts';

/** Both directions of an account with a speed limit. */
export interface AccountSpeed {
	readonly username: string;
	readonly up: SpeedLine;
	readonly down: SpeedLine;
	/** `undefined`: no limit any more. It holds for all connections of the account. */
	setSpeed(bytesPerSecond: number | undefined): void;
	/** Call this once for each `open`. */
	close(): void;
}

/** The speeds of accounts in this process, for all their connections together. */
export interface AccountSpeeds {
	/** For one more connection of the account. */
	open(username: string): AccountSpeed;
	/** How much of each limit this process may use. */
	takeShares(shares: readonly SpeedShare[]): void;
	stop(): void;
}

/** How this process shares limits with the other processes of the host. */
export interface SpeedSharing {
	/** How much of a limit it may use before it is told: from 0 to 1. */
	readonly firstShare: number;
	/** Tells where senders wait here. */
	tell(waiting: readonly AccountWaiting[]): void;
}

interface Limited {
	readonly username: string;
	readonly up: SpeedLine;
	readonly down: SpeedLine;
	bytesPerSecond: number | undefined;
	share: Pick<SpeedShare, 'up' | 'down'>;
	told: { readonly up: number; readonly down: number };
	connections: number;
	/** When its last connection ended (monotonic). */
	restsSinceMs: number;
}

const LOOK_MS = 500;
/**
 * Else a client that connects again and again would each time have what a line can save up.
 * @bound The speed of an account without a connection is kept: then it is forgotten.
 */
const REST_MS = 5_000;
const ALONE: SpeedSharing = { firstShare: 1, tell() {} };

export function createAccountSpeeds(sharing: SpeedSharing = ALONE, clock = CLOCK): AccountSpeeds {
	const accounts = new Map<string, Limited>();
	let endLook: (() => void) | undefined;

	function begin(username: string): Limited {
		const share = { up: sharing.firstShare, down: sharing.firstShare };
		const account: Limited = {
			username,
			up: createSpeedLine(clock, () => tellAtOnce(account, 'up')),
			down: createSpeedLine(clock, () => tellAtOnce(account, 'down')),
			bytesPerSecond: undefined,
			share,
			told: { up: 0, down: 0 },
			connections: 0,
			restsSinceMs: 0,
		};
		accounts.set(username, account);
		endLook ??= clock.later(look, LOOK_MS);
		sharing.tell([waitingOf(account)]);
		return account;
	}

	/** Its share is small while nothing waits here. */
	function tellAtOnce(account: Limited, direction: 'up' | 'down'): void {
		if (account.told[direction] > 0) return;
		account.told = { ...account.told, [direction]: 1 };
		sharing.tell([waitingOf(account)]);
	}

	function look(): void {
		const changed: AccountWaiting[] = [];
		for (const account of accounts.values()) {
			const { username, up, down, told, connections, restsSinceMs } = account;
			if (connections === 0 && clock.nowMs() - restsSinceMs >= REST_MS) {
				accounts.delete(username);
				changed.push({ username, waiting: null });
				continue;
			}
			account.told = { up: up.takeWaited(), down: down.takeWaited() };
			if (account.told.up !== told.up || account.told.down !== told.down) changed.push(waitingOf(account));
		}
		if (changed.length > 0) sharing.tell(changed);
		endLook = accounts.size > 0 ? clock.later(look, LOOK_MS) : undefined;
	}

	return {
		open(username) {
			const account = accounts.get(username) ?? begin(username);
			const { up, down } = account;
			account.connections++;
			return {
				username,
				up,
				down,
				setSpeed(bytesPerSecond) {
					if (bytesPerSecond === account.bytesPerSecond) return;
					account.bytesPerSecond = bytesPerSecond;
					apply(account);
				},
				close() {
					account.connections--;
					account.restsSinceMs = clock.nowMs();
				},
			};
		},
		takeShares(shares) {
			for (const { username, ...share } of shares) {
				const account = accounts.get(username);
				if (!account) continue;
				account.share = share;
				apply(account);
			}
		},
		stop: () => endLook?.(),
	};
}

function waitingOf({ username, told }: Limited): AccountWaiting {
	return { username, waiting: told };
}

function apply({ bytesPerSecond, share, up, down }: Limited): void {
	up.setSpeed(bytesPerSecond === undefined ? undefined : bytesPerSecond * share.up);
	down.setSpeed(bytesPerSecond === undefined ? undefined : bytesPerSecond * share.down);
}
