import { randomBytes } from 'node:crypto';

/** Random, so that no start takes what another one had open for its own. */
export function newProcessName(): string {
	return randomBytes(6).toString('base64url');
}
