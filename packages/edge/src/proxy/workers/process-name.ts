import { randomBytes } from 'node:crypto';

/** Random, so that the open connections of one start never count as those of another. */
export function newProcessName(): string {
	return randomBytes(6).toString('base64url');
}
