/** How many senders of an account waited lately in one process. `null`: the account has no connection there. */
export interface AccountWaiting {
	readonly username: string;
	readonly waiting: { readonly up: number; readonly down: number } | null;
}

/** Which part of its limit an account may use in one process: above 0, and 1 over all processes together. */
export interface SpeedShare {
	readonly username: string;
	readonly up: number;
	readonly down: number;
}

/** Divides the speed limits of a host among its processes. */
export interface SpeedShares<Process extends WeakKey> {
	/** A process tells where senders wait. */
	heard(from: Process, accounts: readonly AccountWaiting[]): void;
	/** A process is gone. */
	ended(process: Process): void;
}

/** Processes in which an account does not wait have this part of its limit together, so that it does not stop there. */
const IDLE_SHARE = 0.05;

/** @param send tells a process those shares that have changed */
export function createSpeedShares<Process extends WeakKey>(
	send: (to: Process, shares: readonly SpeedShare[]) => void,
): SpeedShares<Process> {
	/** What each process has told and was told, by account. */
	const accounts = new Map<string, Map<Process, Part>>();
	/** Their last messages may still be on their way. */
	const gone = new WeakSet<Process>();

	function divide(usernames: Iterable<string>): void {
		const changed = new Map<Process, SpeedShare[]>();
		for (const username of usernames) {
			const parts = [...(accounts.get(username) ?? [])];
			const ups = sharesOf(parts.map(([, { waiting }]) => waiting.up));
			const downs = sharesOf(parts.map(([, { waiting }]) => waiting.down));
			for (const [index, [process, part]] of parts.entries()) {
				const share = { username, up: ups[index] as number, down: downs[index] as number };
				if (part.sent?.up === share.up && part.sent.down === share.down) continue;
				part.sent = share;
				const shares = changed.get(process) ?? [];
				changed.set(process, shares);
				shares.push(share);
			}
		}
		for (const [process, shares] of changed) send(process, shares);
	}

	function forget(process: Process, username: string): void {
		const parts = accounts.get(username);
		parts?.delete(process);
		if (parts?.size === 0) accounts.delete(username);
	}

	return {
		heard(from, told) {
			if (gone.has(from)) return;
			for (const { username, waiting } of told) {
				if (waiting === null) {
					forget(from, username);
					continue;
				}
				const parts = accounts.get(username) ?? new Map<Process, Part>();
				accounts.set(username, parts.set(from, { waiting, sent: parts.get(from)?.sent }));
			}
			divide(told.map(({ username }) => username));
		},
		ended(process) {
			gone.add(process);
			const names = [...accounts].filter(([, parts]) => parts.has(process)).map(([username]) => username);
			for (const username of names) forget(process, username);
			divide(names);
		},
	};
}

interface Part {
	readonly waiting: NonNullable<AccountWaiting['waiting']>;
	sent: SpeedShare | undefined;
}

/** By the number of senders that wait in each process. If none waits, each process has the same. */
function sharesOf(waiting: readonly number[]): readonly number[] {
	const all = waiting.reduce((sum, count) => sum + count, 0);
	const idle = waiting.filter((count) => count === 0).length;
	if (all === 0) return waiting.map(() => 1 / idle);
	const idleShare = idle === 0 ? 0 : IDLE_SHARE;
	return waiting.map((count) => (count === 0 ? idleShare / idle : ((1 - idleShare) * count) / all));
}
