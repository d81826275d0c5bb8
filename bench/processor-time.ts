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
	for (const thread of threadsOf(pid)) {
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

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): readonly number[] {
	return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function threadsOf(pid: number): readonly string[] {
	return ifRunning(() => readdirSync(`/proc/${pid}/task`), []);
}

function threadMs(pid: number, thread: string): number {
	// The first number counts nanoseconds. The ticks in `stat` are too long for a slice of a benchmark.
	return ifRunning(() => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
}

function ifRunning<Value>(read: () => Value, otherwise: Value): Value {
	try {
		return read();
	} catch (error) {
		if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise;
		throw error;
	}
}
