// Reads of one owner wait in one line, and owners take turns. The owner of a read is a reseller, or one of these.

/** The owner of the reads for files. A reseller has two files at once, so its pages cannot use up their places. */
export function filesOf(reseller: string): string {
	return `files:${reseller}`;
}

/** Whose reads the operators' are, also those about a reseller. No reseller has this name. */
export const OPERATORS = 'operators:';
