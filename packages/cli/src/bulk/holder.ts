import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process number means one process. On Linux all are known, or nothing is seen there. */
export interface Place {
	readonly host: string;
	/** Of this start of the machine. */
	readonly boot_id?: string | undefined;
	/** Of a container, or of the machine itself. */
	readonly pid_namespace?: string | undefined;
	readonly machine_id?: string | undefined;
}

/** Who holds a lock. */
export interface Holder extends Place {
	readonly pid: number;
	/** Random: a process of the same number is not the same holder. */
	readonly id: string;
}

/** The namespace of the machine itself has this name on every Linux. */
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

/** Whether its process may be alive, as far as can be seen from here. Of two runs, one too few is the smaller harm. */
export function mayBeAlive(holder: Holder, here: Place): boolean {
	if (isOfEarlierStart(holder, here)) return false;
	if (!isVisible(holder, here)) return true;
	// Our own number: a run before this one had it. We have no lock yet.
	if (holder.pid <= 0 || holder.pid === process.pid) return false;
	try {
		process.kill(holder.pid, 0);
		return true;
	} catch (cause) {
		return (cause as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Whether its number means the same process here. */
export function isVisible(holder: Place, here: Place): boolean {
	if (holder.host !== here.host) return false;
	if (process.platform !== 'linux') return holder.pid_namespace === undefined;
	if (here.boot_id === undefined || here.pid_namespace === undefined) return false;
	return holder.boot_id === here.boot_id && holder.pid_namespace === here.pid_namespace;
}

/**
 * Whether the machine has gone down since. Only outside of containers: their images bring names and machine ids with
 * them, so that two containers on two machines may have the same.
 */
function isOfEarlierStart(holder: Place, here: Place): boolean {
	const isSameMachine = holder.host === here.host && holder.machine_id === here.machine_id;
	if (!isSameMachine || here.machine_id === undefined) return false;
	if (holder.pid_namespace !== OUTSIDE_CONTAINERS || here.pid_namespace !== OUTSIDE_CONTAINERS) return false;
	return holder.boot_id !== undefined && here.boot_id !== undefined && holder.boot_id !== here.boot_id;
}

/** `undefined` if it is empty, or hidden from us. */
function textOf(read: () => string): string | undefined {
	try {
		return read().trim() || undefined;
	} catch {
		return undefined;
	}
}
