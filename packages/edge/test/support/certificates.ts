import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../client/test/support');

/** The key of both certificates. */
export const KEY_FILE = join(FOLDER, 'key.pem');

/** Certificates of `localhost` that have signed themselves. One has expired. */
export function pemFile(name: 'self-signed' | 'expired'): string {
	return join(FOLDER, `${name}.pem`);
}
