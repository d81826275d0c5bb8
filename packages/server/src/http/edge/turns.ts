/** Runs the tasks of each owner one after another. */
export interface Turns {
	/** Resolves to what the task resolves to, or to `undefined`, without running it, if too many of its owner wait. */
	run<Value>(owner: string, task: () => Promise<Value>): Promise<Value | undefined>;
}

export function createTurns(maxOfOwner: number): Turns {
	const lines = new Map<string, { last: Promise<unknown>; size: number }>();
	return {
		async run(owner, task) {
			const line = lines.get(owner) ?? { last: Promise.resolve(), size: 0 };
			if (line.size >= maxOfOwner) return undefined;
			lines.set(owner, line);
			line.size++;
			const turn = line.last.then(task);
			// The next task begins after this one, even if this one fails.
			line.last = turn.catch(() => {});
			try {
				return await turn;
			} finally {
				line.size--;
				if (line.size === 0) lines.delete(owner);
			}
		},
	};
}
