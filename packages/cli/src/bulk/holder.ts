import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process number means one process. On Linux, that needs the boot id and the PID namespace. */
export interface Place {
	readonly host: string;
	/** Identifies this start of the machine. */
	readonly boot_id?: string | undefined;
	/** The PID namespace of a container, or of the machine itself. */
	readonly pid_namespace?: string | undefined;
	readonly machine_id?: string | undefined;
}

/** The process that holds a lock. */
export interface Holder extends Place {
	readonly pid: number;
	/** Random, because another process may get the same number. */
	readonly id: string;
}

/** On every Linux, the PID namespace of the machine itself has this name. */
const OUTSIDE_CONTAINERS = 'pid:[4026531836]';

export function placeHere(): Place {
	const host = hostname();
	if (process.platform !== 'linux') return { host };
	return {
		host,
		boot_id: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
		pid_namespace: textOf(() => readlinkSync('/proc/self/ns/pid')),
		machine_id: textOf(() => readFileSync('/etc/machine-id', 'utf8')),
	};
}

/** Whether the holder may be alive. In doubt yes: refusing a run does less harm than two runs at the same time. */
export function mayBeAlive(holder: Holder, here: Place): boolean {
	if (isOfEarlierStart(holder, here)) return false;
	if (!isVisible(holder, here)) return true;
	// We hold no lock yet, so an earlier run had our process number.
	if (holder.pid <= 0 || holder.pid === process.pid) return false;
	try {
		process.kill(holder.pid, 0);
		return true;
	} catch (cause) {
		return (cause as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Whether the holder's process number means the same process here. */
export function isVisible(holder: Place, here: Place): boolean {
	if (holder.host !== here.host) return false;
	if (process.platform !== 'linux') return holder.pid_namespace === undefined;
	if (here.boot_id === undefined || here.pid_namespace === undefined) return false;
	return holder.boot_id === here.boot_id && holder.pid_namespace === here.pid_namespace;
}

/**
 * Whether this machine has restarted since. Only for processes outside of containers: two containers on two machines
 * may have the same host name and machine id, which come from their image.
 */
function isOfEarlierStart(holder: Place, here: Place): boolean {
	const isSameMachine = holder.host === here.host && holder.machine_id === here.machine_id;
	if (!isSameMachine || here.machine_id === undefined) return false;
	if (holder.pid_namespace !== OUTSIDE_CONTAINERS || here.pid_namespace !== OUTSIDE_CONTAINERS) return false;
	return holder.boot_id !== undefined && here.boot_id !== undefined && holder.boot_id !== here.boot_id;
}

/** `undefined` if it is empty or not readable. */
function textOf(read: () => string): string | undefined {
	try {
		return read().trim() || undefined;
	} catch {
		return undefined;
	}
}
