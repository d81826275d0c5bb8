import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeArchive } from './archive.ts';
import { writeContainerFiles } from './container.ts';
import { makeDebianPackage } from './debian.ts';
import { releaseNotes } from './notes.ts';
import { buildPackages, packPackages } from './packages.ts';
import { PLATFORMS, PRODUCTS, type Product, repositoryAddress } from './programs.ts';
import { assertPython, makePythonPackages } from './python.ts';
import { ROOT, run } from './run.ts';
import { allowedSigners, sign, stampInstaller } from './signing.ts';
import { makeTree } from './tree.ts';

const USAGE = `Makes everything that a person installs, from the tag of this version, into dist/VERSION.

  npm run release -- [OPTIONS]

  --platform PLATFORM  only for this platform; may be repeated: ${Object.keys(PLATFORMS).join(', ')}
  --out DIR            another folder than dist/VERSION, which must be empty
  --signing-key FILE   the private key that signs the checksums, or the public one of a key in the agent of ssh
  --unsigned           without a signature. The installer then refuses to run, unless it is told to
  --quick              compress less, to try it
  --untagged           from what the checkout holds, whatever it is, to try it
`;

const { values: options } = parseArgs({
	options: {
		platform: { type: 'string', multiple: true, default: Object.keys(PLATFORMS) },
		out: { type: 'string' },
		'signing-key': { type: 'string' },
		unsigned: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
		untagged: { type: 'boolean', default: false },
		help: { type: 'boolean', short: 'h', default: false },
	},
});

if (options.help) process.stdout.write(USAGE);
else await release();

async function release(): Promise<void> {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	if (!options.untagged) assertTagged(version);
	const keyFile = options['signing-key'];
	if (options.unsigned === (keyFile !== undefined)) throw new Error('Give either --signing-key FILE or --unsigned.');
	const outFolder = folderFor(version);
	const signers = keyFile === undefined ? undefined : await allowedSigners(keyFile);
	assertPython();
	const notes = releaseNotes(version, !options.untagged);
	const sourceDateEpoch = Number(run(['git', 'log', '-1', '--format=%ct']));
	if (options.out === undefined) rmSync(outFolder, { recursive: true, force: true });
	mkdirSync(outFolder, { recursive: true });
	const temporary = mkdtempSync(join(tmpdir(), 'bursar-release-'));
	// The folders of all steps are below it.
	process.env.TMPDIR = temporary;
	removeIfInterrupted([temporary, outFolder]);
	try {
		await say('the Python packages');
		const python = mkdtempSync(join(temporary, 'python-'));
		await makePythonPackages({ version, sourceDateEpoch, temporary: python, outFolder });
		await say('the npm packages');
		const builds = buildPackages(join(temporary, 'builds'));
		packPackages(builds, outFolder);
		for (const platform of options.platform) {
			for (const product of Object.keys(PRODUCTS) as Product[]) {
				await say(`${product} for ${platform}`);
				const tree = makeTree(product, platform, { version, builds }, temporary);
				const bill = `${basename(tree.folder)}.cdx.json`;
				writeFileSync(join(outFolder, bill), tree.bill);
				const packing = { sourceDateEpoch, isQuick: options.quick };
				makeArchive(tree, packing, outFolder);
				if (PLATFORMS[platform]?.debian) {
					await makeDebianPackage({ ...tree, ...packing, tree: tree.folder, outFolder });
				}
				rmSync(tree.folder, { recursive: true });
			}
		}
	} finally {
		rmSync(temporary, { recursive: true });
	}
	writeContainerFiles(outFolder);
	await stampInstaller(outFolder, {
		version,
		releasesUrl: `${repositoryAddress()}/releases/download`,
		allowedSigners: signers,
	});
	writeFileSync(join(outFolder, 'RELEASE-NOTES.md'), notes);
	writeFileSync(join(outFolder, 'SHA256SUMS'), checksums(outFolder));
	if (keyFile !== undefined) await sign(outFolder, keyFile);
	process.stdout.write(`${outFolder}\n`);
}

/** An interrupted release leaves nothing: half a folder would look like a whole one. */
function removeIfInterrupted(folders: readonly string[]): void {
	for (const [signal, exitCode] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
		process.on(signal, () => process.exit(exitCode));
	}
	process.on('exit', (code) => {
		if (code === 0) return;
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	});
}

/** Throws unless the checkout is exactly what the tag of the version names. */
function assertTagged(version: string): void {
	const tags = run(['git', 'tag', '--points-at', 'HEAD']).split('\n');
	if (!tags.includes(`v${version}`))
		throw new Error(`The present commit has no tag v${version}. See docs/releasing.md.`);
	const changed = run(['git', 'status', '--porcelain']);
	if (changed !== '') throw new Error(`These files are not those of the tag:\n${changed}`);
}

/** The folder of the release. Throws if it is one of the caller's that holds something. */
function folderFor(version: string): string {
	const folder = options.out ?? join(ROOT, 'dist', version);
	const isMine = options.out === undefined || !existsSync(folder) || readdirSync(folder).length === 0;
	if (!isMine) throw new Error(`${folder} is not empty.`);
	return folder;
}

/** A line for each file, as `sha256sum --check` reads it. */
function checksums(folder: string): string {
	const line = (name: string) =>
		`${createHash('sha256')
			.update(readFileSync(join(folder, name)))
			.digest('hex')}  ${name}\n`;
	return readdirSync(folder).sort().map(line).join('');
}

/** The steps that follow do not let a signal through. */
async function say(what: string): Promise<void> {
	process.stderr.write(`Making ${what}...\n`);
	await setImmediate();
}
