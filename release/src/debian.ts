import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { PLATFORMS, type Product, repositoryAddress } from './programs.ts';

const run = promisify(execFile);

const TEMPLATES = join(import.meta.dirname, '../debian');
const HOMEPAGE = repositoryAddress();
/** The address that GitHub has for the owner of the repository. */
const MAINTAINER = `Bursar <${HOMEPAGE.split('/').at(-2)}@users.noreply.github.com>`;

const DESCRIPTIONS = {
	bursar: {
		programs: ['bursar', 'bursarctl'],
		summary: 'back office of a proxy network',
		description:
			'Keeps the balances, sub-users, proxy auth keys and usage of resellers of a\n proxy network. Has an HTTP API, a dashboard, and an embedded or a PostgreSQL\n store.',
	},
	'bursar-edge': {
		programs: ['bursar-edge'],
		summary: 'proxy that checks pairs and counts bytes for Bursar',
		description:
			'An HTTP proxy that asks a Bursar service whether a username and a proxy auth\n key are good, and reports how many bytes each account used. It also checks\n pairs and counts bytes for Squid.',
	},
} as const;

export interface DebianPackageOptions {
	/** An unpacked archive of the product. */
	readonly tree: string;
	readonly product: Product;
	/** Such as 1.0.0-rc.1. */
	readonly version: string;
	/** One that Debian has. */
	readonly platform: string;
	/** Seconds since 1970. No file of the package is newer. */
	readonly sourceDateEpoch: number;
	readonly outFolder: string;
	/** Compresses less. */
	readonly isQuick: boolean;
}

/** Makes a Debian package. Resolves with its path. The same tree always makes the same bytes. */
export async function makeDebianPackage(options: DebianPackageOptions): Promise<string> {
	const { product, platform, sourceDateEpoch, outFolder, isQuick } = options;
	const draft = await mkdtemp(join(tmpdir(), 'bursar-deb-'));
	try {
		await copyFiles(options, draft);
		await run('chmod', ['-R', 'u=rwX,go=rX', draft]);
		await writeControl(options, draft);
		const file = join(outFolder, `${product}_${debianVersion(options.version)}_${architectureOf(platform)}.deb`);
		await run('find', [draft, '-exec', 'touch', '--no-dereference', `--date=@${sourceDateEpoch}`, '{}', '+']);
		// With more threads, xz would make other bytes.
		await run(
			'dpkg-deb',
			['--root-owner-group', '-Zxz', `-z${isQuick ? 0 : 6}`, '--threads-max=1', '--build', draft, file],
			{
				env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceDateEpoch) },
			},
		);
		return file;
	} finally {
		await rm(draft, { recursive: true });
	}
}

function architectureOf(platform: string): string {
	const name = PLATFORMS[platform]?.debian;
	if (name === undefined) throw new Error(`Debian has no ${platform}`);
	return name;
}

/** A release candidate is older than its release: 1.0.0~rc.1 sorts before 1.0.0. */
export function debianVersion(version: string): string {
	return version.replace('-', '~');
}

async function copyFiles(
	{ tree, product, version, sourceDateEpoch }: DebianPackageOptions,
	draft: string,
): Promise<void> {
	const at = (...path: string[]) => join(draft, ...path);
	const home = at('usr/lib', product);
	const doc = at('usr/share/doc', product);
	const units = at('usr/lib/systemd/system');
	for (const folder of [at('usr/bin'), home, doc, units, at('DEBIAN')]) {
		await mkdir(folder, { recursive: true });
	}
	for (const folder of ['bin', 'lib', 'etc']) {
		await cp(join(tree, folder), join(home, folder), { recursive: true, verbatimSymlinks: true });
	}
	for (const program of DESCRIPTIONS[product].programs) {
		await symlink(`../lib/${product}/bin/${program}`, at('usr/bin', program));
	}
	await cp(join(tree, 'systemd', `${product}.service`), join(units, `${product}.service`));
	if (product === 'bursar-edge') {
		await mkdir(join(units, 'bursar-edge.service.d'));
		await cp(join(TEMPLATES, 'bursar-edge.conf'), join(units, 'bursar-edge.service.d/package.conf'));
	}
	await symlink(`../../../lib/${product}/etc/${product}.env`, join(doc, `${product}.env`));
	for (const name of ['docs', 'README.md', 'SECURITY.md'])
		await cp(join(tree, name), join(doc, name), { recursive: true });
	await writeFile(join(doc, 'CHANGELOG.md.gz'), gzipSync(await readFile(join(tree, 'CHANGELOG.md')), { level: 9 }));
	// The programs find their pages there.
	await symlink(`../../share/doc/${product}/docs`, join(home, 'docs'));
	await writeFile(join(doc, 'copyright'), await copyright(tree));
	const date = new Date(sourceDateEpoch * 1000).toUTCString().replace('GMT', '+0000');
	const entry = `${product} (${debianVersion(version)}) unstable; urgency=medium\n\n  * See ${HOMEPAGE}/blob/v${version}/CHANGELOG.md\n\n -- ${MAINTAINER}  ${date}\n`;
	await writeFile(join(doc, 'changelog.gz'), gzipSync(entry, { level: 9 }));
	const overrides = await readFile(join(TEMPLATES, 'lintian-overrides'), 'utf8');
	await mkdir(at('usr/share/lintian/overrides'), { recursive: true });
	await writeFile(at('usr/share/lintian/overrides', product), overrides);
}

/** The licences of the product, of Node and of each package in the tree. */
async function copyright(tree: string): Promise<string> {
	const modules = join(tree, 'lib/node_modules');
	const parts = [`Source: ${HOMEPAGE}\n\n${await readFile(join(tree, 'LICENSE'), 'utf8')}`];
	const paths = (await readdir(tree, { recursive: true })).sort();
	for (const path of paths) {
		if (!/^lib\//.test(path) || !/^(licen[cs]e|copying|notice)/i.test(basename(path)) || path.endsWith('.js')) continue;
		parts.push(`Files: ${path}\n\n${await readFile(join(tree, path), 'utf8')}`);
	}
	for (const path of paths.filter((path) => /^lib\/node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))) {
		const { name, version, license } = JSON.parse(await readFile(join(tree, path), 'utf8'));
		parts.push(`${name} ${version} in ${path.slice(0, -'/package.json'.length)}: ${license}\n`);
	}
	if (parts.length < 3) throw new Error(`${modules} has no licences`);
	return parts.join('\n----\n\n');
}

async function writeControl({ product, platform, version }: DebianPackageOptions, draft: string): Promise<void> {
	const control = join(draft, 'DEBIAN');
	// `readdir` would go through links to folders.
	const { stdout } = await run('find', [draft, '-type', 'f'], { maxBuffer: 64 * 1024 * 1024 });
	const files = stdout.trim().split('\n').sort();
	let bytes = 0;
	const sums: string[] = [];
	for (const file of files) {
		const content = await readFile(file);
		bytes += content.length;
		sums.push(`${createHash('md5').update(content).digest('hex')}  ${file.slice(draft.length + 1)}\n`);
	}
	await writeFile(join(control, 'md5sums'), sums.join(''));
	const { summary, description } = DESCRIPTIONS[product];
	await writeFile(
		join(control, 'control'),
		`Package: ${product}
Version: ${debianVersion(version)}
Architecture: ${architectureOf(platform)}
Maintainer: ${MAINTAINER}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: adduser, libatomic1, libc6 (>= 2.34), libgcc-s1 (>= 4.2), libstdc++6 (>= 5.2)
Section: net
Priority: optional
Homepage: ${HOMEPAGE}
Description: ${summary}
 ${description}
`,
	);
	for (const script of ['postinst', 'prerm', 'postrm']) {
		await cp(join(TEMPLATES, `${product}.${script}`), join(control, script));
		await chmod(join(control, script), 0o755);
	}
	await run('chmod', ['0644', ...['md5sums', 'control'].map((name) => join(control, name))]);
}
