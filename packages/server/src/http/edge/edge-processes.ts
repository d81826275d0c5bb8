/**
 * Which processes of each edge say what they have open. A name costs the edge nothing, and each may have a row for every
 * account.
 */
export interface EdgeProcesses {
	/** Whether what this process says may be recorded: its edge names no more than 1,024 within a minute. */
	take(edge: string, process: string): boolean;
}

/**
 * An edge has at most 256 workers, and as many that drain. Some of the names were those of workers before them.
 * @bound Processes of one edge that report open connections within a minute: those of further processes are left out.
 */
const MAX_PROCESSES = 1_024;
/** So long, what a process has said stays in the store. */
const KNOWN_MS = 60_000;

/** @param nowMs monotonic milliseconds */
export function createEdgeProcesses(nowMs: () => number = () => performance.now()): EdgeProcesses {
	/** When each was heard last, by edge. The one that was heard longest ago comes first. */
	const heardOf = new Map<string, Map<string, number>>();

	return {
		take(edge, process) {
			const heard = heardOf.get(edge) ?? new Map<string, number>();
			heardOf.set(edge, heard);
			for (const [name, atMs] of heard) {
				if (nowMs() - atMs < KNOWN_MS) break;
				heard.delete(name);
			}
			if (!heard.has(process) && heard.size >= MAX_PROCESSES) return false;
			heard.delete(process);
			heard.set(process, nowMs());
			return true;
		},
	};
}
