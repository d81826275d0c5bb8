import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the time of processes that have ended in hundredths of a second. */
const TICK_MS = 10;
/** The fields of `/proc/PID/stat`, counted from the one after the program's name. */
const ENDED_CHILDREN = [13, 14] as const;

/**
 * How long a process and all that it has started have used processors so far, in milliseconds. Linux only. A running
 * process is read to the microsecond, because the ticks of an ended one are too long for a short turn.
 */
export function processorMs(pid: number): number {
	const own = sum(threadsOf(pid).map((thread) => threadMs(pid, thread)));
	return own + endedChildrenMs(pid) + sum(childrenOf(pid).map(processorMs));
}

/** All running processes that this process, or one that it has started, has started. Linux only. */
export function descendantsOf(pid: number): readonly number[] {
	return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The processor time of all processes that this process has started and that have ended, in milliseconds. */
export function endedChildrenMs(pid: number): number {
	const status = ifRunning(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
	// The program's name is in parentheses, and may itself contain parentheses.
	const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
	return sum(ENDED_CHILDREN.map((index) => Number(fields[index] ?? 0))) * TICK_MS;
}

function threadMs(pid: number, thread: string): number {
	return ifRunning(() => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
}

function threadsOf(pid: number): readonly string[] {
	return ifRunning(() => readdirSync(`/proc/${pid}/task`), []);
}

function childrenOf(pid: number): readonly number[] {
	return threadsOf(pid).flatMap((thread) => {
		const ids = ifRunning(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '');
		return ids.split(' ').filter(Boolean).map(Number);
	});
}

function ifRunning<Value>(read: () => Value, otherwise: Value): Value {
	try {
		return read();
	} catch (error) {
		if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise;
		throw error;
	}
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
