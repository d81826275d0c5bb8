import { access, constants, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { page } from '@bursar/terminal';
import type { Finding } from '../../store/examination.ts';

/** What a wrong user has to do. */
export const RUN_AS_SERVICE = `Run this as the user of the service, with its settings: ${page('docs/operating/install.md', 'Run it under systemd')}`;

const OTHERS = 0o002;
const GROUP = 0o020;

/** That this is not the user whose folder it is, and may not use it; `undefined` if it is, or if it may. */
export async function findWrongUser(folder: string): Promise<Finding | undefined> {
	try {
		await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return undefined;
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EACCES') return undefined;
	}
	// A folder above it may be closed too.
	const owner = await stat(folder).then(
		({ uid }) => uid,
		() => undefined,
	);
	const { uid, username } = userInfo();
	if (owner === uid) return undefined;
	const whose = owner === undefined ? '' : `, which belongs to ${owner === 0 ? 'root' : `the user ${owner}`}`;
	return {
		state: 'problem',
		text: `The user ${username} may not use ${folder}${whose}.`,
		remedy: RUN_AS_SERVICE,
	};
}

/** Whether others may change the folder or the database in it. A volume of a container often belongs to a group. */
export async function checkWriters(folder: string): Promise<Finding[]> {
	if (process.platform === 'win32') return [];
	const found: Finding[] = [];
	for (const path of [folder, join(folder, 'bursar.db')]) {
		const { mode } = await stat(path).catch(() => ({ mode: 0 }));
		if ((mode & OTHERS) !== 0) {
			const text = `Every user of this machine may change ${path}, and with it all balances.`;
			found.push({ state: 'problem', text, remedy: `chmod go-w ${path}` });
		} else if ((mode & GROUP) !== 0) {
			const text = `The group of ${path} may change it, and with it all balances.`;
			found.push({ state: 'warning', text, remedy: `Unless the group is the service's own: chmod g-w ${path}` });
		}
	}
	return found;
}
