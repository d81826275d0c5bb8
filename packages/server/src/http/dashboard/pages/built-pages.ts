import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pagesFolder } from '../../../installation.ts';
import type { EncodedFile } from '../../server/encoded-file.ts';

/** The dashboard's pages, in memory. */
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

const NONCE = '$NONCE$';
const TYPES: Readonly<Record<string, string>> = {
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.woff2': 'font/woff2',
};

/** Reads all of the pages; throws if they were not built. */
export function readBuiltPages(folder = pagesFolder): BuiltPages {
	const assets = join(folder, 'assets');
	const read = (name: string) => readFileSync(join(assets, name));
	const names = readdirSync(assets).filter((name) => TYPES[extname(name)]);
	return {
		html: readFileSync(join(folder, 'index.html'), 'utf8').split(NONCE),
		assets: new Map(
			names.map((name): [string, Asset] => [
				name,
				{ type: TYPES[extname(name)] as string, plain: read(name), br: read(`${name}.br`), gzip: read(`${name}.gz`) },
			]),
		),
	};
}
