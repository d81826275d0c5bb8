/** Items that wait, each for an owner. However many one owner has, every owner gets its turn. */
export interface FairQueue<Item> {
	/** How many items wait. */
	readonly size: number;
	/** Adds an item behind the others of its owner. `false` if a bound is reached: then the item was not added. */
	add(item: Item): boolean;
	/** Takes one item of each owner in turn, `most` at most. Those of one owner come in the order of their adding. */
	take(most: number): Item[];
	/** Takes items of the owner whose turn it is, `most` at most. */
	takeOfNext(most: number): Item[];
	/** Puts items that were taken back, in the same order, in front of all others. */
	putBack(items: readonly Item[]): void;
	/** Removes the items for which it is true. */
	remove(isRemoved: (item: Item) => boolean): Item[];
}

export interface FairQueueOptions<Item> {
	readonly ownerOf: (item: Item) => string;
	/** The most items that wait. */
	readonly maxWaiting: number;
	/** The most items that wait of one owner. */
	readonly maxOfOwner: number;
}

export function createFairQueue<Item>({ ownerOf, maxWaiting, maxOfOwner }: FairQueueOptions<Item>): FairQueue<Item> {
	/** The owners whose items wait, in the order of their turns. No line is empty. */
	const lines = new Map<string, Item[]>();
	let size = 0;

	function lineOf(owner: string): Item[] {
		const line = lines.get(owner) ?? [];
		if (line.length === 0) lines.set(owner, line);
		return line;
	}

	/** Takes the first items of a line, and has the others wait for the next turn of their owner. */
	function takeTurn(owner: string, line: Item[], most: number): Item[] {
		lines.delete(owner);
		const taken = line.splice(0, most);
		if (line.length > 0) lines.set(owner, line);
		size -= taken.length;
		return taken;
	}

	return {
		get size() {
			return size;
		},
		add(item) {
			const owner = ownerOf(item);
			if (size >= maxWaiting || (lines.get(owner)?.length ?? 0) >= maxOfOwner) return false;
			lineOf(owner).push(item);
			size++;
			return true;
		},
		take(most) {
			const taken: Item[] = [];
			// An owner that is set again comes behind the others, and again in this very loop.
			for (const [owner, line] of lines) {
				if (taken.length === most) break;
				taken.push(...takeTurn(owner, line, lines.size === 1 ? most - taken.length : 1));
			}
			return taken;
		},
		takeOfNext(most) {
			const [next] = lines;
			return next ? takeTurn(...next, most) : [];
		},
		putBack(items) {
			const others = [...lines];
			lines.clear();
			for (const item of items) lineOf(ownerOf(item)).push(item);
			for (const [owner, line] of others) lines.set(owner, [...(lines.get(owner) ?? []), ...line]);
			size += items.length;
		},
		remove(isRemoved) {
			const removed: Item[] = [];
			for (const [owner, line] of lines) {
				if (!line.some(isRemoved)) continue;
				const kept = line.filter((item) => !isRemoved(item));
				removed.push(...line.filter(isRemoved));
				if (kept.length > 0) lines.set(owner, kept);
				else lines.delete(owner);
			}
			size -= removed.length;
			return removed;
		},
	};
}
