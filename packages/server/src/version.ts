import { packageVersion } from '@bursar/terminal';

/** The version of the software. */
export function version(): string {
	return packageVersion(import.meta.dirname);
}
