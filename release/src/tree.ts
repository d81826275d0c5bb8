import { createHash } from 'node:crypto';
import {
	chmodSync,
	copyFileSync,
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Builds } from './packages.ts';
import { PLATFORMS, PRODUCTS, type Product } from './programs.ts';
import { npm, ROOT, run } from './run.ts';

/** What an archive or a Debian package is made of. */
export interface Tree {
	readonly product: Product;
	readonly version: string;
	/** Such as `linux-x64`. */
	readonly platform: string;
	/** The folder that holds everything. Its name has the product, the version and the platform. */
	readonly folder: string;
	/** The bill of materials, as CycloneDX. */
	readonly bill: string;
}

/** What an archive holds besides the programs and the documents, by its path there. */
const FILES: Readonly<Record<Product, Readonly<Record<string, string>>>> = {
	bursar: {
		'systemd/bursar.service': 'docs/examples/bursar.service',
		'etc/bursar.env': 'docs/examples/bursar.env',
	},
	'bursar-edge': {
		'systemd/bursar-edge.service': 'docs/edge/bursar-edge.service',
		'etc/bursar-edge.env': 'docs/edge/bursar-edge.env',
	},
};

/** What the packages bring along for people. */
const DOCUMENTS = ['docs', 'CHANGELOG.md', 'SECURITY.md'];

/**
 * Puts together what runs on a platform without a network or an installation: the programs, their dependencies, and
 * Node. The versions, and the checksum of each package, are those of the lockfile. npm checks them.
 */
export function makeTree(
	product: Product,
	platform: string,
	{ version, builds }: { version: string; builds: Builds },
	below: string,
): Tree {
	const { os, cpu, nodePackage } = platformOf(platform);
	const folder = join(below, `${product}-${version}-${platform}`);
	const staged = join(below, `${product}-${platform}-staged`);
	for (const name of PRODUCTS[product].folders)
		cpSync(builds[name], join(staged, 'packages', name), { recursive: true });
	// `bursarctl` needs the client, which is no program.
	if (product === 'bursar') cpSync(builds.client, join(staged, 'packages/client'), { recursive: true });
	const lockfile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
	const { [`node_modules/${nodePackage}`]: node } = JSON.parse(lockfile).packages;
	writeFileSync(join(staged, 'package-lock.json'), lockfile);
	writeFileSync(
		join(staged, 'package.json'),
		// npm refuses a package of another platform, unless it is optional.
		JSON.stringify({
			name: product,
			version,
			workspaces: ['packages/*'],
			optionalDependencies: { [nodePackage]: node.version },
		}),
	);
	const options = [
		'--omit=dev',
		'--no-bin-links',
		'--ignore-scripts',
		'--prefer-offline',
		'--no-audit',
		'--no-fund',
		'--loglevel=error',
	];
	run(npm('ci', `--os=${os}`, `--cpu=${cpu}`, ...options), { cwd: staged });

	mkdirSync(join(folder, 'lib'), { recursive: true });
	const bill = billOf(staged, basename(folder), product === 'bursar' ? bundledInPages(builds.server) : []);
	moveNode(join(staged, 'node_modules', nodePackage), folder, os);
	// The workspace's packages are links there.
	cpSync(join(staged, 'node_modules'), join(folder, 'lib/node_modules'), { recursive: true, dereference: true });
	rmSync(staged, { recursive: true });
	prune(join(folder, 'lib/node_modules'), `${os}-${cpu}`);
	for (const program of PRODUCTS[product].programs) writeLauncher(folder, program, os);
	moveDocuments(product, folder);
	for (const [path, source] of Object.entries(FILES[product])) {
		mkdirSync(join(folder, path, '..'), { recursive: true });
		copyFileSync(join(ROOT, source), join(folder, path));
	}
	return { product, version, platform, folder, bill };
}

function platformOf(platform: string) {
	const found = PLATFORMS[platform];
	if (found) return found;
	throw new Error(`There is no platform ${platform}. There are ${Object.keys(PLATFORMS).join(', ')}.`);
}

/**
 * Moves the program of Node, and removes its headers and manuals. The licence is that of the same Node which runs the
 * release: the package for Windows has none.
 */
function moveNode(from: string, folder: string, os: string): void {
	const program = os === 'win32' ? 'node.exe' : 'node';
	renameSync(join(from, 'bin', program), join(folder, 'lib', program));
	chmodSync(join(folder, 'lib', program), 0o755);
	copyFileSync(join(process.execPath, '../../LICENSE'), join(folder, 'lib/LICENSE-node'));
	rmSync(from, { recursive: true });
}

/** What only developers read of a library: its types and source maps. They are most of the library of Stripe. */
const FOR_DEVELOPERS = /^(?!@?bursar).*\.(d\.[cm]?ts|map)$/;

/** Removes what npm keeps for itself, what only developers read, and what better-sqlite3 has for a build and other platforms. */
function prune(modules: string, native: string): void {
	rmSync(join(modules, '.package-lock.json'));
	for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
		if (FOR_DEVELOPERS.test(path)) rmSync(join(modules, path));
	}
	const sqlite = join(modules, 'better-sqlite3');
	if (!readdirSync(modules).includes('better-sqlite3')) return;
	for (const name of ['deps', 'src', 'binding.gyp']) rmSync(join(sqlite, name), { recursive: true });
	for (const name of readdirSync(join(sqlite, 'prebuilds'))) {
		if (name !== `${native}.node`) rmSync(join(sqlite, 'prebuilds', name));
	}
	readFileSync(join(sqlite, 'prebuilds', `${native}.node`));
}

/** Moves the documents out of the packages, to where a person sees them. The programs look there too. */
function moveDocuments(product: Product, folder: string): void {
	const modules = join(folder, 'lib/node_modules');
	cpSync(join(modules, product, 'LICENSE'), join(folder, 'LICENSE'));
	for (const name of ['README.md', ...DOCUMENTS]) renameSync(join(modules, product, name), join(folder, name));
	for (const other of [...PRODUCTS[product].programs, '@bursar/client']) {
		for (const name of DOCUMENTS) rmSync(join(modules, other, name), { recursive: true, force: true });
	}
}

/** The process becomes Node, so signals reach the program. */
function writeLauncher(folder: string, program: string, os: string): void {
	mkdirSync(join(folder, 'bin'), { recursive: true });
	const file = join(folder, 'bin', os === 'win32' ? `${program}.cmd` : program);
	writeFileSync(
		file,
		os === 'win32'
			? `@"%~dp0..\\lib\\node.exe" "%~dp0..\\lib\\node_modules\\${program}\\${program}.js" %*\r\n`
			: `#!/bin/sh
lib=$(dirname "$(readlink -f "$0")")/../lib
exec "$lib/node" "$lib/node_modules/${program}/${program}.js" "$@"
`,
	);
	chmodSync(file, 0o755);
}

interface Component {
	readonly 'bom-ref': string;
}

/** The packages whose code is in the dashboard's pages, as CycloneDX lists them. */
function bundledInPages(server: string): readonly Component[] {
	const licenses: readonly { readonly name: string; readonly version: string; readonly identifier: string }[] =
		JSON.parse(readFileSync(join(server, 'pages/licenses.json'), 'utf8'));
	return licenses.map(({ name, version, identifier }) => ({
		'bom-ref': `${name}@${version}`,
		type: 'library',
		name,
		version,
		purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
		licenses: [{ expression: identifier }],
	}));
}

/**
 * What the folder of a project contains, and what is bundled in it, as CycloneDX. The same for the same content: npm would
 * add the time and a number.
 */
function billOf(folder: string, name: string, bundled: readonly Component[]): string {
	const {
		metadata,
		serialNumber: _,
		components,
		...rest
	} = JSON.parse(run(npm('sbom', '--sbom-format=cyclonedx'), { cwd: folder }));
	const { timestamp: __, ...kept } = metadata;
	const installed = new Set(components.map((component: Component) => component['bom-ref']));
	const content = {
		...rest,
		metadata: { ...kept, component: { ...metadata.component, name } },
		components: [...components, ...bundled.filter((component) => !installed.has(component['bom-ref']))],
	};
	const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
	const number = [
		hash.slice(0, 8),
		hash.slice(8, 12),
		`8${hash.slice(13, 16)}`,
		`8${hash.slice(17, 20)}`,
		hash.slice(20, 32),
	];
	return `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${number.join('-')}` }, null, '\t')}\n`;
}
