import { getPriority, setPriority } from 'node:os';

/** 0 is usual. At 10, a usual thread that also wants the processor gets about nine times as much of it. */
const NICENESS = 10;

/**
 * Lets other threads go first if all processors are busy. Call it in a thread of its own. On Linux each thread has a
 * priority, and a process id of 0 means the calling thread. Elsewhere it means the process, so nothing is done.
 */
export function yieldProcessor(): void {
	if (process.platform !== 'linux') return;
	try {
		if (getPriority(0) < NICENESS) setPriority(0, NICENESS);
	} catch {
		// The system does not allow it. The thread works as before.
	}
}
