import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** What every user can see of a process of this machine. */
export interface SeenProcess {
	readonly id: number;
	readonly parentId: number;
	/** One letter, as in `ps`. `Z`: the process has ended. */
	readonly state: string;
	/** Its program and arguments. */
	readonly command: string;
}

/** Whether a child process has ended. From then on, its id may belong to another process. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

/** Sends the signal, and resolves when the process has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (hasEnded(child)) return;
	// While we wait for it, the process must keep the tests from ending.
	child.ref();
	const ended = once(child, 'exit');
	child.kill(signal);
	await ended;
}

/** All processes. On Linux they are read from `/proc`, because not every Linux has `ps`. */
export function listProcesses(): readonly SeenProcess[] {
	if (process.platform !== 'linux') return fromPs();
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((id) => {
			try {
				return [fromProc(id)];
			} catch {
				// The process has ended meanwhile.
				return [];
			}
		});
}

function fromProc(id: string): SeenProcess {
	const status = readFileSync(`/proc/${id}/stat`, 'utf8');
	// The name is in parentheses, and may itself contain parentheses.
	const [state = '', parentId] = status.slice(status.lastIndexOf(')') + 2).split(' ');
	const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
	return { id: Number(id), parentId: Number(parentId), state, command };
}

function fromPs(): readonly SeenProcess[] {
	const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
	return Array.from(
		lines.matchAll(/^ *(\d+) +(\d+) +(\S)\S* +(.*)$/gm),
		([, id, parentId, state = '', command = '']) => ({
			id: Number(id),
			parentId: Number(parentId),
			state,
			command,
		}),
	);
}
