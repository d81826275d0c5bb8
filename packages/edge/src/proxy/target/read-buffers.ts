/**
 * The memory that a tunnel reads into. It is small, and large while much comes: fewer and larger reads cost less
 * processor time.
 */
export interface ReadBuffer {
	/** What the next read may fill. Call this only when nothing of the previous read is needed any more. */
	next(): Buffer;
	/** How many bytes the last read has brought. */
	filled(bytes: number): void;
	/** Nothing is read any more. */
	end(): void;
}

const SMALL_BYTES = 8_192;
/** Over TLS, the last write to a client that is cut counts whole, so it is no larger than this. */
const LARGE_BYTES = 65_536;
/** 64 MiB in all. Beyond, tunnels read into their small buffers. */
const MAX_LARGE = 1_024;

/** Large buffers that no tunnel uses now. */
const free: Buffer[] = [];
let lent = 0;

export function createReadBuffer(): ReadBuffer {
	const small = Buffer.allocUnsafeSlow(SMALL_BYTES);
	let large: Buffer | undefined;
	let lastBytes = 0;

	function giveBack(): void {
		if (!large) return;
		free.push(large);
		lent--;
		large = undefined;
	}

	return {
		next() {
			if (lastBytes < SMALL_BYTES) giveBack();
			else if (!large && lent < MAX_LARGE) {
				large = free.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
				lent++;
			}
			return large ?? small;
		},
		filled(bytes) {
			lastBytes = bytes;
		},
		end: giveBack,
	};
}
