/**
 * Names that are to be read again wait for others, so that one read of the store has many of them.
 * @bound A name that is to be read again waits for others: then they are read together.
 */
const WAIT_MS = 100;

/**
 * Reads the pairs in use again before they are too old: many with one read, and while no check waits for it. It is
 * never necessary. If it fails or hangs, the checks ask for their pairs themselves.
 */
export interface Renewals {
	/** Each name waits once, so no more of them wait than pairs are remembered. */
	add(username: string): void;
	close(): void;
}

interface RenewalOptions {
	/** Reads pairs and remembers them. */
	readonly read: (usernames: readonly string[]) => Promise<unknown>;
	/** The most names in one read. */
	readonly most: number;
	readonly onFailed: (cause: unknown) => void;
}

export function createRenewals({ read, most, onFailed }: RenewalOptions): Renewals {
	let waiting = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;

	async function readAll(): Promise<void> {
		const usernames = [...waiting];
		waiting = new Set();
		try {
			for (let from = 0; from < usernames.length; from += most) await read(usernames.slice(from, from + most));
		} catch (cause) {
			onFailed(cause);
		}
		timer = undefined;
		if (waiting.size > 0) readSoon();
	}

	function readSoon(): void {
		if (!isClosed) timer ??= setTimeout(readAll, WAIT_MS).unref();
	}

	return {
		add(username) {
			waiting.add(username);
			readSoon();
		},
		close() {
			isClosed = true;
			clearTimeout(timer);
		},
	};
}
