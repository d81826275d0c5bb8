import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process number means one process. On Linux, that needs the boot id and the PID namespace. */
export interface PidScope {
	readonly host: string;
	/** Identifies this start of the machine. */
	readonly boot_id?: string | undefined;
	/** The PID namespace of a container, or of the machine itself. */
	readonly pid_namespace?: string | undefined;
}

/** The process that holds a lock. */
export interface Holder extends PidScope {
	readonly pid: number;
	/** When it started, as Linux tells it: another process may get the same number. */
	readonly started?: string | undefined;
	/** Random. Of two locks, it tells which one this is. */
	readonly id: string;
}

/** This process, as the holder of a lock with this id. */
export function ownHolder(scope: PidScope, id: string): Holder {
	return { ...scope, pid: process.pid, started: processStat('self')?.started, id };
}

export function currentPidScope(): PidScope {
	const host = hostname();
	if (process.platform !== 'linux') return { host };
	return {
		host,
		boot_id: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
		pid_namespace: textOf(() => readlinkSync('/proc/self/ns/pid')),
	};
}

/**
 * Whether the holder may be alive. In doubt yes: refusing a run does less harm than two runs at the same time. Another
 * boot id may mean that this machine has restarted, but also another machine: machines and containers made from one image
 * can have the same host name and machine id.
 */
export function mayBeAlive(holder: Holder, scope: PidScope): boolean {
	if (!isInScope(holder, scope)) return true;
	// We hold no lock yet, so an earlier run had our process number.
	if (holder.pid <= 0 || holder.pid === process.pid) return false;
	try {
		process.kill(holder.pid, 0);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EPERM') return false;
	}
	const stat = processStat(holder.pid);
	if (stat === undefined) return true;
	const isEnded = stat.state === 'Z' || stat.state === 'X';
	return !isEnded && (holder.started === undefined || holder.started === stat.started);
}

/** Whether the holder's process number means the same process in our own scope. */
export function isInScope(holder: PidScope, scope: PidScope): boolean {
	if (holder.host !== scope.host) return false;
	if (process.platform !== 'linux') return holder.pid_namespace === undefined;
	if (scope.boot_id === undefined || scope.pid_namespace === undefined) return false;
	return holder.boot_id === scope.boot_id && holder.pid_namespace === scope.pid_namespace;
}

/** A zombie has ended, and only its parent has not asked how. `undefined` if this system does not tell. */
function processStat(pid: number | 'self'): { readonly state: string; readonly started: string } | undefined {
	const text = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
	// The name of the program comes before these, and may hold anything.
	const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
	const [state, started] = [fields[0], fields[19]];
	return state === undefined || started === undefined ? undefined : { state, started };
}

/** `undefined` if it is empty or not readable. */
function textOf(read: () => string): string | undefined {
	try {
		return read().trim() || undefined;
	} catch {
		return undefined;
	}
}
