import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in milliseconds. Each thread that no longer runs is left out. */
export interface ProcessorTime {
	/** The thread that runs the event loop. */
	readonly mainMs: number;
	/** All other threads: the writer, and those of V8 and libuv. */
	readonly otherMs: number;
}

/** How long a process has used processors so far, to the microsecond. Linux only. */
export function processorTime(pid: number): ProcessorTime {
	let mainMs = 0;
	let otherMs = 0;
	for (const thread of readdirSync(`/proc/${pid}/task`)) {
		const ms = threadMs(pid, thread);
		if (thread === String(pid)) mainMs = ms;
		else otherMs += ms;
	}
	return { mainMs, otherMs };
}

/** All threads of a process together. */
export function processorMs(pid: number): number {
	const { mainMs, otherMs } = processorTime(pid);
	return mainMs + otherMs;
}

function threadMs(pid: number, thread: string): number {
	try {
		// The first number counts nanoseconds. The ticks in `stat` are too long for a slice of a benchmark.
		return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
	} catch (error) {
		if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
		throw error;
	}
}
