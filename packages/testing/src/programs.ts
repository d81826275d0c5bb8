import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../..');
const PACKAGE_OF = { bursar: 'server', bursarctl: 'cli', 'bursar-edge': 'edge' } as const;

/** The JavaScript file that runs a program: of the builds that `npm test` has made, or of the sources. */
export function programFile(name: keyof typeof PACKAGE_OF): string {
	return join(process.env.BURSAR_TEST_PROGRAMS ?? PACKAGES, PACKAGE_OF[name], 'bin', `${name}.js`);
}
