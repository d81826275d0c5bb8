import { CHANGES } from './changes.ts';
import { FILES, READS } from './reads.ts';

/**
 * All calls of the dashboard, by their paths. The service checks the right to make one twice: before it, and when it is
 * decided.
 */
export const CALLS = { ...READS, ...FILES, ...CHANGES };

/** The calls that need no session. */
export type OpenPath = {
	[Path in keyof typeof CALLS]: (typeof CALLS)[Path]['right'] extends 'anyone' ? Path : never;
}[keyof typeof CALLS];
