import { extname, join } from 'node:path';

/** The sources in a checkout, or the build in a package. What is not imported has the same path in both. */
const FOLDER = import.meta.dirname;
const EXTENSION = extname(import.meta.filename);
const isCheckout = EXTENSION === '.ts';

/** A file that runs in a thread or a process of its own. */
export function threadFile(
	path:
		| 'cli/doctor/examining-process'
		| 'store/sqlite/writing/writer-thread'
		| 'store/sqlite/reading/reading-thread'
		| 'http/docs/reference-script-thread',
) {
	return join(FOLDER, `${path}${EXTENSION}`);
}

/** The SQL files of an engine. */
export function migrationsFolder(engine: 'sqlite' | 'postgres'): string {
	return join(FOLDER, 'store', engine, 'migrations');
}

/** The dashboard's pages as they were built. */
export const pagesFolder = join(FOLDER, isCheckout ? '../../dashboard/dist' : 'pages');

/** `bursar-edge`, which runs the proxy of the demo. */
export const edgeProgram = join(FOLDER, isCheckout ? '../../edge/bin/bursar-edge.js' : 'bursar-edge.js');
