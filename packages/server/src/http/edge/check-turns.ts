import { createFairQueue } from '../../fair-queue.ts';

/**
 * More than there are connections of edges. Each has one request in progress, which waits for one turn.
 * @bound Requests with several checks that wait for their turn: further ones are answered `unavailable`. Edges take
 * turns.
 */
const MAX_WAITING = 2_048;

/**
 * Waits for a turn of the event loop that no other work of edges has. Edges take turns, so what one of them asks delays
 * neither the API nor the others by more than a piece of work each.
 */
export type WaitForTurn = (edge: string) => Promise<void>;

export function createCheckTurns(): WaitForTurn {
	const waiting = createFairQueue<{ readonly edge: string; readonly begin: () => void }>({
		ownerOf: ({ edge }) => edge,
		maxWaiting: MAX_WAITING,
		maxOfOwner: MAX_WAITING,
	});
	let isScheduled = false;

	function beginSoon(): void {
		if (isScheduled || waiting.size === 0) return;
		isScheduled = true;
		setImmediate(() => {
			isScheduled = false;
			for (const { begin } of waiting.takeOfNext(1)) begin();
			beginSoon();
		});
	}

	return (edge) =>
		new Promise((resolve, reject) => {
			if (!waiting.add({ edge, begin: resolve })) reject(new Error('too many checks of edges wait for a turn'));
			beginSoon();
		});
}
