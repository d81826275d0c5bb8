import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The name of a file until it is complete. No other program uses such a name. */
export function unfinishedName(path: string): string {
	return `${path}.unfinished-by-bursarctl`;
}

/** Writes the text under the unfinished name, durably. Removes the file if that fails. */
export async function writeUnfinished(path: string, text: string): Promise<void> {
	const unfinished = unfinishedName(path);
	try {
		const file = await open(unfinished, 'w', 0o600);
		try {
			await file.writeFile(text);
			await file.sync();
		} finally {
			await file.close();
		}
		await syncFolder(dirname(path));
	} catch (cause) {
		await rm(unfinished, { force: true });
		throw cause;
	}
}

/** Gives the file its final name, durably. So a file has all its text or does not exist. */
export async function finishFile(path: string): Promise<void> {
	await rename(unfinishedName(path), path);
	await syncFolder(dirname(path));
}

/** Without this, a crash of the machine could lose the new name. */
async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	const folder = await open(path);
	await folder.sync().finally(() => folder.close());
}
