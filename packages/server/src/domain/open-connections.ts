/** What a process of an edge has open. `process` is `''` if the edge does not name its processes. */
export interface OpenInProcess extends EdgeProcess {
	readonly open: number;
}

export interface EdgeProcess {
	readonly edge: string;
	readonly process: string;
}

/**
 * How many connections of an account a process of an edge may have open. As long as all together keep the limit, each
 * may have what the others leave of it, and none has to cut any. If they have more, those with smaller names keep theirs
 * first: the names of edges, then those of processes. So processes that pass the limit at the same moment do not all cut,
 * and those that cut leave exactly the limit.
 *
 * If the caller names its process, what its edge said without a name of a process does not count: it is from before an
 * upgrade.
 *
 * @param open what each process has open, as far as it is known.
 */
export function mayHaveOpen(limit: number, caller: EdgeProcess, open: readonly OpenInProcess[]): number {
	let [own, others, before] = [0, 0, 0];
	for (const each of open) {
		if (each.edge === caller.edge && each.process === caller.process) own = each.open;
		else if (each.edge !== caller.edge || each.process !== '') {
			others += each.open;
			if (isBefore(each, caller)) before += each.open;
		}
	}
	if (own + others <= limit) return limit - others;
	return Math.min(own, Math.max(0, limit - before));
}

function isBefore(one: EdgeProcess, other: EdgeProcess): boolean {
	return one.edge === other.edge ? one.process < other.process : one.edge < other.edge;
}
