import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How long a process has used processors so far, all its threads together, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name of the program stands in parentheses, and may hold spaces.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
	return ((userTicks + systemTicks) * 1000) / TICKS_PER_SECOND;
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
