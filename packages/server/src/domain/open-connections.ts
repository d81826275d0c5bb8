/**
 * How many connections of an account an edge may have open. As long as all edges together keep the limit, each may have
 * what the others leave of it, and no edge has to cut any. If they have more, those with smaller names keep theirs first.
 * So edges that pass the limit at the same moment do not all cut, and those that cut leave exactly the limit.
 *
 * @param openByEdge what each edge has open, as far as it is known.
 */
export function mayHaveOpen(limit: number, edge: string, openByEdge: ReadonlyMap<string, number>): number {
	const own = openByEdge.get(edge) ?? 0;
	let [others, before] = [0, 0];
	for (const [name, open] of openByEdge) {
		if (name === edge) continue;
		others += open;
		if (name < edge) before += open;
	}
	if (own + others <= limit) return limit - others;
	return Math.min(own, Math.max(0, limit - before));
}
