/** A queue whose owners take turns, however many items one of them has. */
export interface FairQueue<Item> {
	/** How many items wait. */
	readonly size: number;
	/** Adds an item after the others of its owner. Returns `false`, and does not add it, if a bound is reached. */
	add(item: Item): boolean;
	/** Takes one item of each owner in turn, `most` at most. The items of one owner keep their order. */
	take(most: number): Item[];
	/** Takes items of the next owner only, `most` at most. */
	takeOfNext(most: number): Item[];
	/** Puts taken items back before all others, in the same order. */
	putBack(items: readonly Item[]): void;
	/** Removes the items for which `isRemoved` is true, and returns them. */
	remove(isRemoved: (item: Item) => boolean): Item[];
}

export interface FairQueueOptions<Item> {
	readonly ownerOf: (item: Item) => string;
	/** The most items that wait. */
	readonly maxWaiting: number;
	/** The most items of one owner that wait. */
	readonly maxOfOwner: number;
}

export function createFairQueue<Item>({ ownerOf, maxWaiting, maxOfOwner }: FairQueueOptions<Item>): FairQueue<Item> {
	/** The owners with waiting items, in the order of their turns. No line is empty. */
	const lines = new Map<string, Item[]>();
	let size = 0;

	function lineOf(owner: string): Item[] {
		const line = lines.get(owner) ?? [];
		if (line.length === 0) lines.set(owner, line);
		return line;
	}

	/** Takes the first items of a line. The others wait for the next turn of their owner. */
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
			const line = lines.get(owner);
			if (size >= maxWaiting || (line && line.length >= maxOfOwner)) return false;
			if (line) line.push(item);
			else lines.set(owner, [item]);
			size++;
			return true;
		},
		take(most) {
			const taken: Item[] = [];
			// `takeTurn` adds an owner again at the end of `lines`, so this loop comes back to it.
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
