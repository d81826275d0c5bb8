import { basename, dirname, join } from 'node:path';
import { run } from './run.ts';
import type { Tree } from './tree.ts';

export interface Packing {
	/** The time of everything in the archive, in Unix seconds. */
	readonly sourceDateEpoch: number;
	/** Compresses less. */
	readonly isQuick: boolean;
}

/**
 * Packs a tree, and returns the path of the archive. The bytes depend only on the content and on how it is packed. It
 * needs GNU tar and xz, which makes other bytes with one thread than with several.
 */
export function makeArchive(
	{ folder }: Pick<Tree, 'folder'>,
	{ sourceDateEpoch, isQuick }: Packing,
	outFolder: string,
): string {
	const name = basename(folder);
	const archive = join(outFolder, `${name}.tar.xz`);
	run(
		[
			...([
				'tar',
				'--create',
				`--file=${archive}`,
				`--use-compress-program=xz -${isQuick ? 0 : 6} --threads=2`,
			] as const),
			...['--sort=name', `--mtime=@${sourceDateEpoch}`, '--owner=root:0', '--group=root:0', '--mode=u=rwX,go=rX'],
			name,
		],
		{ cwd: dirname(folder) },
	);
	return archive;
}
