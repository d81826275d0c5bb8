import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { page } from '@bursar/terminal';
import type { Finding } from '../../store/examination.ts';

/** As many as are timed, unless they take longer than the limit in milliseconds. */
const FLUSHES = 25;
const FLUSHES_LIMIT_MS = 2_000;
const BYTES = 4_096;
/** A change waits for one flush, in milliseconds. */
const SLOW_MS = 10;
/** No disk keeps data that fast. */
const IMPLAUSIBLE_MS = 0.02;
const MIB = 2 ** 20;
const LITTLE_BYTES = 1_024 * MIB;
const TOO_LITTLE_BYTES = 64 * MIB;
const FEW_INODES = 1_000;
const TROUBLE = page('docs/operating/trouble.md');
const ENGINES = page('docs/operating/install.md', 'Choose an engine');

/** File systems by the number that the system has for them. */
const NETWORK_FILE_SYSTEMS: Readonly<Record<number, string>> = {
	26985: 'NFS',
	20859: 'SMB',
	4283649346: 'CIFS',
	4266872130: 'SMB',
	16914839: '9P',
	12805120: 'Ceph',
	1702057286: 'FUSE',
};
const IN_MEMORY = [0x01021994, 0x858458f6];

/** How fast the disk of this folder keeps data, how much room it has, and whether it is a local one. */
export async function checkDisk(folder: string): Promise<Finding[]> {
	let times: readonly number[];
	try {
		times = await timeFlushes(folder);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return [{ state: 'skipped', text: `There is no folder ${folder}.` }];
		const text = `Nothing can be written in ${folder} (${code}).`;
		const remedy = `Look at the disk, and at the rights of the folder: ${TROUBLE}`;
		return [{ state: 'problem', text, remedy }, ...(await roomFindings(folder))];
	}
	return [flushFinding(times), ...(await roomFindings(folder))];
}

/** In milliseconds, in order. */
async function timeFlushes(folder: string): Promise<readonly number[]> {
	const path = join(folder, `bursar.doctor.${randomUUID()}`);
	const file = await open(path, 'wx', 0o600);
	try {
		const times: number[] = [];
		const giveUpAtMs = performance.now() + FLUSHES_LIMIT_MS;
		while (times.length < FLUSHES && performance.now() < giveUpAtMs) {
			await file.write(Buffer.alloc(BYTES, 1));
			const beganAtMs = performance.now();
			await file.datasync();
			times.push(performance.now() - beganAtMs);
		}
		return times.toSorted((one, other) => one - other);
	} finally {
		await file.close();
		await rm(path, { force: true });
	}
}

export function flushFinding(times: readonly number[]): Finding {
	const median = times[Math.floor(times.length / 2)] ?? 0;
	const text = `A flush of the disk took ${median.toFixed(2)} ms (median), and ${(times.at(-1) ?? 0).toFixed(2)} ms at most.`;
	if (median > SLOW_MS) {
		const remedy = `Each change waits for one. Use a faster disk: ${ENGINES}`;
		return { state: 'warning', text, remedy };
	}
	if (median < IMPLAUSIBLE_MS) {
		const remedy = 'No disk is that fast: it, or its file system, does not flush. A loss of power may lose money.';
		return { state: 'warning', text, remedy };
	}
	return { state: 'ok', text };
}

async function roomFindings(folder: string): Promise<Finding[]> {
	const { type, bsize, bavail, files, ffree } = await statfs(folder);
	const found: Finding[] = [];
	const network = NETWORK_FILE_SYSTEMS[type];
	if (network !== undefined) {
		const text = `${folder} is on ${network}. The locks of an embedded store need a local disk.`;
		found.push({
			// Some of those are local disks.
			state: network === 'FUSE' ? 'warning' : 'problem',
			text,
			remedy: `Use a local disk: ${ENGINES}`,
		});
	}
	if (IN_MEMORY.includes(type)) {
		const text = `${folder} is in memory: everything is lost when the machine stops.`;
		found.push({
			state: 'warning',
			text,
			remedy: `Set BURSAR_DATA_DIR to a folder on a disk: ${ENGINES}`,
		});
	}
	return [
		...found,
		spaceFinding(folder, bsize * bavail),
		...(files > 0 && ffree < FEW_INODES ? [inodesFinding(ffree)] : []),
	];
}

function spaceFinding(folder: string, free: number): Finding {
	const text = `The disk of ${folder} has ${Math.round(free / MIB).toLocaleString('en')} MiB free.`;
	if (free >= LITTLE_BYTES) return { state: 'ok', text };
	const remedy = `Make room: while the disk is full, every change is refused: ${TROUBLE}`;
	return { state: free < TOO_LITTLE_BYTES ? 'problem' : 'warning', text, remedy };
}

function inodesFinding(free: number): Finding {
	const text = `The file system can hold only ${free} more files.`;
	return { state: 'problem', text, remedy: 'Remove files that are not needed.' };
}
