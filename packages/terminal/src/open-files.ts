import { readFileSync } from 'node:fs';

/** How many files this process may open. `undefined` where the system does not say. */
export function openFilesLimit(): number | undefined {
	try {
		const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
		return soft === undefined ? undefined : Number(soft);
	} catch {
		return undefined;
	}
}
