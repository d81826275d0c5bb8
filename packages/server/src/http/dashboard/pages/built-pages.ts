import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { EncodedFile } from '../../server/encoded-file.ts';

/** The dashboard's pages, as the set-up has built them, in memory. */
export interface BuiltPages {
	/** The HTML of every page, in pieces. Between them stands the nonce. */
	readonly html: readonly string[];
	/** By name, like `index-CfPSldbm.js`. */
	readonly assets: ReadonlyMap<string, Asset>;
}

/** A file whose name changes with its content. */
interface Asset extends EncodedFile {
	readonly type: string;
}

/** `dist` of the package `@bursar/dashboard`, next to this one: in the repository, and where packages are installed. */
const BUILT = join(import.meta.dirname, '../../../../../dashboard/dist');

const NONCE = '$NONCE$';
const TYPES: Readonly<Record<string, string>> = {
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.woff2': 'font/woff2',
};

/** Reads all of the pages; throws if they were not built, or not completely. */
export function readBuiltPages(folder = BUILT): BuiltPages {
	const stamp = JSON.parse(readFileSync(join(folder, 'stamp.json'), 'utf8')) as Stamp;
	const sizes = new Map(stamp.groups.flatMap(({ files }) => files.map(({ file, size }) => [file, size])));
	const read = (file: string) => {
		const bytes = readFileSync(join(folder, stamp.folder, file));
		if (bytes.length !== sizes.get(file)) throw new Error(`${file} is not complete`);
		return bytes;
	};
	const names = [...sizes.keys()].filter((file) => file.startsWith('assets/') && TYPES[extname(file)]);
	const assets = names.map((file): [string, Asset] => [
		file.slice('assets/'.length),
		{ type: TYPES[extname(file)] as string, plain: read(file), br: read(`${file}.br`), gzip: read(`${file}.gz`) },
	]);
	return { html: read('index.html').toString().split(NONCE), assets: new Map(assets) };
}

/** What the set-up notes about the pages that it has built (`scripts/stamped-folder.mjs`). */
interface Stamp {
	/** The folder that holds them. */
	readonly folder: string;
	/** Their sizes in bytes. */
	readonly groups: readonly { readonly files: readonly { readonly file: string; readonly size: number }[] }[];
}
