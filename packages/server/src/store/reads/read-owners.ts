// Reads of one owner wait in one line, and owners take turns. The owner of a read is a reseller, or one of these.

/** The owner of the reads for files. A reseller has two files at once. They do not use up the turns of its pages. */
export function filesOf(reseller: string): string {
	return `files:${reseller}`;
}

/** The owner of all reads of operators, also of those about a reseller. No reseller has this name. */
export const OPERATORS = 'operators:';

/** The owner of the reads that find what is to be posted of bandwidth. Nothing else waits in its line. */
export const POSTING = 'posting:';
