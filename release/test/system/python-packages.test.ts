import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '@bursar/testing/packed';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { pythonVersion } from '../../../clients/python/generate/version.ts';
import { artifact, VERSION } from '../support/artifacts.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = join(ROOT, 'clients/python/src');
const REQUIREMENTS = join(import.meta.dirname, '../support/python-packages.txt');
const NAME = `bursar-${pythonVersion(VERSION)}`;
/** In a network that reaches nothing, not even this machine. */
const ALONE = ['unshare', '--net', '--'] as const;

const CALL = `
from bursar import Bursar
with Bursar() as bursar:
    print(bursar.account.retrieve().username)
`;

const METADATA = `
import importlib.metadata, json
metadata = importlib.metadata.metadata("bursar")
print(json.dumps({name: metadata.get_all(name) for name in metadata}))
`;

test('without a network, the wheel and the source archive install into an empty environment, and reach a service', async (t) => {
	const packages = join(temporaryFolder(t), 'packages');
	await downloadPackages(await environment(t), packages);
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 500);
	const reach = { BURSAR_URL: service.url, BURSAR_TOKEN: token };

	for (const [file, options] of [
		[await wheel(), ['--only-binary=:all:']],
		[await sourceArchive(), ['--no-binary=bursar']],
	] as const) {
		await t.test(basename(file), async (t) => {
			const folder = temporaryFolder(t);
			const found = join(folder, 'packages');
			cpSync(packages, found, { recursive: true });
			copyFileSync(file, join(found, basename(file)));
			const python = await environment(t, ALONE);
			// Its settings may name a folder that has more packages.
			const pip = [...ALONE, python, '-m', 'pip', '--isolated', '--disable-pip-version-check'] as const;
			await succeed([...pip, 'install', '--no-index', `--find-links=${found}`, ...options, 'bursar'], folder);
			await succeed([...pip, 'check'], folder);

			assert.equal(await succeed([python, '-c', CALL], folder, reach), 'acme\n');
			assertMetadata(JSON.parse(await succeed([python, '-c', METADATA], folder)));
		});
	}
});

test('the wheel has the package alone, and the source archive also what builds it', async () => {
	const known = ['ls-files', '--cached', '--others', '--exclude-standard'];
	const sources = execFileSync('git', known, { cwd: SOURCES, encoding: 'utf8' }).trim().split('\n');
	assert.ok(sources.includes('bursar/__init__.py') && sources.includes('bursar/py.typed'));
	const list = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")';
	const inWheel = execFileSync('python3', ['-c', list, await wheel()], { encoding: 'utf8' });
	const about = ['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map((name) => `${NAME}.dist-info/${name}`);
	assert.deepEqual(inWheel.trim().split('\n').sort(), [...sources, ...about].sort());

	const inArchive = execFileSync('tar', ['--list', '--file', await sourceArchive()], { encoding: 'utf8' });
	const others = ['LICENSE', 'PKG-INFO', 'README.md', 'pyproject.toml'];
	assert.deepEqual(
		inArchive.trim().split('\n').sort(),
		[...sources.map((path) => `src/${path}`), ...others].map((path) => `${NAME}/${path}`).sort(),
	);
});

test('the package needs nothing that Python 3.10 has not', async (t) => {
	const packages = join(temporaryFolder(t), 'packages');
	const python = await environment(t);
	await downloadPackages(python, packages);
	await succeed([python, '-m', 'pip', 'install', '--no-index', `--find-links=${packages}`, 'vermin'], ROOT);
	const options = ['--target=3.10-', '--violations', '--eval-annotations', '--no-tips'];
	await succeed([join(python, '../vermin'), ...options, SOURCES], ROOT);
});

test('another checkout makes the same Python packages: in another folder, with another umask, time zone and times, and a secret', async (t) => {
	const folder = temporaryFolder(t);
	const [checkout, temporary, outFolder] = ['checkout', 'temporary', 'out'].map((name) => join(folder, name));
	const options = {
		...{ version: VERSION, temporary, outFolder },
		sourceDateEpoch: Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })),
	};
	cpSync(ROOT, checkout as string, {
		recursive: true,
		filter: (path) => !/^(node_modules|dist|\.git)$/.test(basename(path)),
	});
	mkdirSync(temporary as string);
	const make = `
		import { makePythonPackages } from './release/src/python.ts';
		await makePythonPackages(${JSON.stringify(options)});`;
	const script = `
		chmod -R u=rwX,go= . && find . -exec touch --date=@86400 {} + && umask 077 &&
		echo brs_secret > clients/python/src/bursar/token.txt &&
		exec "$0" --input-type=module --eval "$1"`;
	await succeed(['sh', '-c', script, process.execPath, make], checkout as string, { TZ: 'Pacific/Kiritimati' });
	for (const file of [await wheel(), await sourceArchive()]) {
		assert.ok(readFileSync(join(outFolder as string, basename(file))).equals(readFileSync(file)), basename(file));
	}
});

/** A Python with nothing installed. Resolves with the path of its program. */
async function environment(t: TestContext, under: readonly string[] = []): Promise<string> {
	const folder = join(temporaryFolder(t), 'environment');
	await succeed(['env', ...under, 'python3', '-m', 'venv', folder], ROOT);
	return join(folder, 'bin/python');
}

/** Fills a folder with the packages of PyPI that this file needs, for this Python. */
async function downloadPackages(python: string, folder: string): Promise<void> {
	const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check'];
	await succeed([python, '-m', 'pip', 'download', ...options, '--dest', folder, '--requirement', REQUIREMENTS], ROOT);
}

function assertMetadata(metadata: Readonly<Record<string, readonly string[]>>): void {
	const {
		Description: [description = ''] = [],
		'Project-URL': urls = [],
		Classifier: classifiers = [],
		...rest
	} = metadata;
	const { description: summary } = readManifest('packages/client');
	assert.deepEqual(rest, {
		'Metadata-Version': ['2.5'],
		Name: ['bursar'],
		'Import-Name': ['bursar'],
		Version: [pythonVersion(VERSION)],
		Summary: [summary],
		Keywords: ['proxy,reseller,billing,bursar'],
		'License-Expression': ['MIT'],
		'License-File': ['LICENSE'],
		'Requires-Python': ['>=3.10'],
		'Requires-Dist': ['httpx>=0.27,<1'],
		'Description-Content-Type': ['text/markdown'],
	});
	const repository = readManifest('.').homepage?.replace('#readme', '');
	assert.equal(urls.length, 4);
	for (const url of urls) assert.ok(url.includes(`, ${repository}`), url);
	assert.ok(classifiers.includes('Typing :: Typed'));
	// PyPI shows it without the repository.
	assert.match(description, /^# /);
	assert.doesNotMatch(description, /\]\((?!https:|#)/);
}

function readManifest(folder: string): Readonly<Record<string, string>> {
	return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

function wheel(): Promise<string> {
	return artifact(NAME, '-py3-none-any.whl');
}

function sourceArchive(): Promise<string> {
	return artifact(NAME, '.tar.gz');
}

async function succeed(
	line: readonly [string, ...string[]],
	folder: string,
	environment: Readonly<Record<string, string>> = {},
): Promise<string> {
	const { code, output } = await run(line, folder, environment);
	assert.equal(code, 0, `${line.join(' ')}:\n${output}`);
	return output;
}
