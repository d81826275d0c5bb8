/**
 * The memory that a tunnel reads into: a small buffer, and a large one while many bytes come. Fewer and larger reads cost
 * less processor time.
 */
export interface ReadBuffer {
	/** The buffer for the next read. Call this only when the bytes of the previous read are used up. */
	next(): Buffer;
	/** How many bytes the last read has filled. */
	filled(bytes: number): void;
	/** There are no more reads. */
	end(): void;
}

/**
 * @bound Bytes that a tunnel reads at once while little comes: it reads the rest next, once the client has taken
 * them.
 */
const SMALL_BYTES = 8_192;
/**
 * If a client is cut, its last write over TLS counts whole. So a write is at most this large.
 * @bound Bytes that a tunnel reads at once while much comes: it reads the rest next, once the client has taken them.
 */
const LARGE_BYTES = 65_536;
/** @bound Tunnels that read as much, 64 MiB in all: further tunnels use their small buffers. */
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
