/** How the lines of a file are done. */
interface BulkWork<Line> {
	/** How many sub-users have a line under way at once. */
	readonly concurrency: number;
	/** Does a line. Resolves with whether the next line of the same sub-user may follow. */
	readonly doLine: (line: Line) => Promise<boolean>;
	/** If this is true, no further line is begun. */
	readonly isStopped: () => boolean;
}

/** Does the lines: those of one sub-user one after the other, those of different sub-users at the same time. */
export async function runBulk<Line extends { readonly username: string }>(
	lines: readonly Line[],
	{ concurrency, doLine, isStopped }: BulkWork<Line>,
): Promise<void> {
	// The workers share the iterator, so each sub-user goes to one of them.
	const subUsers = Map.groupBy(lines, ({ username }) => username).values();
	async function work(): Promise<void> {
		for (const ofOne of subUsers) {
			for (const line of ofOne) {
				if (isStopped()) return;
				if (!(await doLine(line))) break;
			}
		}
	}
	await Promise.all(Array.from({ length: concurrency }, work));
}

/** Whether all other lines would be refused for the same reason. `code`: why a line was refused. */
export function endsBulk(operation: string, code: string): boolean {
	if (code === 'suspended') return true;
	// The limits are the same for all lines. Each new sub-user has its own.
	if (code === 'invalid_limits') return !isCreate(operation);
	// If one sub-user cannot pay a take, the next one may still be able to.
	return code === 'insufficient_balance' && (isCreate(operation) || operation === 'give');
}

function isCreate(operation: string): boolean {
	return operation === 'create' || operation === 'create_with';
}
