import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openDebianRoot } from '@bursar/testing/debian-root';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { compress, makeSignedRelease, makeSigningKey, packTar, type TarEntry } from '../support/signed-release.ts';

const run = promisify(execFile);
const VERSION = '1.2.3';
const PLATFORM = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64';
const TOP = `bursar-${VERSION}-${PLATFORM}`;
const ARCHIVE = `${TOP}.tar.xz`;
const PEM = join(import.meta.dirname, '../../../packages/client/test/support');

const keys = mkdtempSync(join(tmpdir(), 'bursar-test-'));
after(() => rmSync(keys, { recursive: true }));
const KEY = makeSigningKey(keys);

/** What a server answers with, by the name of the file. */
type Files = Record<string, Buffer | ((response: ServerResponse) => void)>;

const PROGRAM: readonly TarEntry[] = [
	{ name: `${TOP}/`, type: '5' },
	{ name: `${TOP}/bin/`, type: '5' },
	{ name: `${TOP}/bin/bursar`, content: `#!/bin/sh\necho ${VERSION}\n` },
	{ name: `${TOP}/bin/bursarctl`, content: '#!/bin/sh\n' },
	{ name: `${TOP}/etc/bursar.env`, content: '# Settings.\n', mode: 0o644 },
];

test('a cut download of install.sh does nothing, wherever it is cut', async (t) => {
	const { folder } = await release(t);
	const script = readFileSync(join(folder, 'install.sh'), 'utf8');
	const cut = join(folder, 'cut.sh');
	const cuts = new Set(Array.from({ length: 150 }, (_, index) => script.trimEnd().length - 1 - index));
	for (let length = 1; length < script.length - 150; length += 137) cuts.add(length);
	for (const length of cuts) {
		writeFileSync(cut, script.slice(0, length));
		for (const shell of ['dash', 'bash']) {
			// Whatever ran would print the help.
			const { stdout } = await run(shell, [cut, '--help']).catch((failed: { stdout: string }) => failed);
			assert.equal(stdout, '', `${shell}, after ${length} characters`);
		}
	}
	assert.match((await run('dash', [join(folder, 'install.sh'), '--help'])).stdout, /--uninstall/, 'and whole it runs');
});

test('shellcheck finds nothing wrong with install.sh', async () => {
	await run('shellcheck', [join(import.meta.dirname, '../../install.sh')]);
});

for (const tool of ['curl', 'wget'] as const) {
	test(`with ${tool}, each attack and each fault of the server leaves the machine as it was`, async (t) => {
		const root = await rootWith(t, tool);
		const good = await release(t);
		const before = seen(root);
		for (const [attack, { files, says }] of Object.entries(await attacks(t, good))) {
			const asked: string[] = [];
			const { code, output } = await install(root, await serve(t, { ...good.files, ...files }, asked), good.folder);
			assert.notEqual(code, 0, `${attack}: ${output}`);
			assert.match(output, says, attack);
			assert.deepEqual(seen(root), before, attack);
			assert.ok(asked.length > 0, attack);
		}
		// The same without an attack is installed. So none of the above was refused for another reason.
		const { code, output } = await install(root, await serve(t, good.files), good.folder);
		assert.equal(code, 0, output);
		assert.match(output, /1\.2\.3 is installed/);
		assert.notDeepEqual(seen(root), before);
	});

	test(`with ${tool}, a redirect may lead to https, but never to http`, async (t) => {
		const root = await rootWith(t, tool);
		const { files, folder } = await release(t);
		const plain: string[] = [];
		const plainUrl = await serve(t, files, plain);
		appendFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), readFileSync(join(PEM, 'self-signed.pem')));
		const before = seen(root);
		const redirects = (to: string): Files =>
			Object.fromEntries(
				Object.keys(files).map((name) => [
					name,
					(response: ServerResponse) =>
						response.writeHead(302, { location: `${to}/${name}?a=1&b=[2]` }).end('elsewhere'),
				]),
			);
		const refused = await install(root, await serveTls(t, redirects(plainUrl)), folder);
		assert.equal(refused.code, 1, refused.output);
		assert.match(refused.output, /sends to an address that is not https/);
		assert.deepEqual(plain, []);

		const circle: Files = {};
		const circleUrl = await serveTls(t, circle);
		Object.assign(circle, redirects(circleUrl));
		const endless = await install(root, circleUrl, folder);
		assert.match(endless.output, /without an end/);
		assert.deepEqual(seen(root), before);

		const { code, output } = await install(root, await serveTls(t, redirects(await serveTls(t, files))), folder);
		assert.equal(code, 0, output);
	});
}

test('an installer that is ended during a download leaves nothing', async (t) => {
	const root = await rootWith(t, 'curl');
	const good = await release(t);
	const before = seen(root);
	let stalled = false;
	const url = await serve(t, {
		...good.files,
		[ARCHIVE]: (response) => {
			response.writeHead(200).write('half');
			stalled = true;
		},
	});
	copyFileSync(join(good.folder, 'install.sh'), join(root, 'install.sh'));
	const child = spawn('chroot', [root, 'dash', '/install.sh', '--from', url], { stdio: 'ignore' });
	await eventually(async () => assert.ok(stalled), 20_000);
	child.kill('SIGTERM');
	const [code] = await once(child, 'exit');
	assert.equal(code, 143);
	rmSync(join(root, 'install.sh'));
	assert.deepEqual(seen(root), before);
});

test('an installer of an unsigned release runs only with the option for that', async (t) => {
	const root = await rootWith(t, 'curl');
	const { files, folder } = await release(t, undefined, null);
	const before = seen(root);
	const asked: string[] = [];
	const url = await serve(t, files, asked);
	const refused = await install(root, url, folder);
	assert.equal(refused.code, 1);
	assert.match(refused.output, /Nobody has signed this release.*--unsigned/s);
	const wrong = await install(root, await serve(t, { ...files, [ARCHIVE]: packTar([]) }), folder, ['--unsigned']);
	assert.match(wrong.output, /checksum .* is not right/);
	assert.deepEqual(seen(root), before);
	assert.deepEqual(asked, []);
	assert.equal((await install(root, url, folder, ['--unsigned'])).code, 0);
});

test('a signed release is never installed without its signature, and wrong arguments do nothing', async (t) => {
	const root = await rootWith(t, 'curl');
	const { files, folder } = await release(t);
	const before = seen(root);
	const asked: string[] = [];
	const url = await serve(t, files, asked);
	for (const [args, says] of [
		[['--unsigned'], /its signature is checked always/],
		[['--from', 'http://192.0.2.1/'], /must begin with https/],
		[['--from', 'http://127.0.0.1@192.0.2.1/'], /must begin with https/],
		[['--from', 'file:///etc'], /must begin with https/],
		[['--from', 'https://a b'], /must begin with https/],
		[['--version', '../../etc'], /A version looks like/],
		[['--version', '1.2.3\n/..'], /A version looks like/],
		[['--version'], /needs a value/],
		[['--egde'], /There is no option --egde/],
		[['--uninstall'], /is not installed/],
	] as const) {
		const { code, output } = await install(root, url, folder, args);
		assert.equal(code, 1, args.join(' '));
		assert.match(output, says);
	}
	assert.deepEqual(asked, []);
	// The signed list has no archive of that version.
	assert.match((await install(root, url, folder, ['--version', '1.2.2'])).output, /that of another version/);
	assert.deepEqual(seen(root), before);
});

interface Release {
	readonly folder: string;
	readonly files: Files;
}

/** A release with a small program instead of the service. */
async function release(
	t: TestContext,
	archive = packTar(PROGRAM),
	keyFile: string | null = KEY,
	version = VERSION,
): Promise<Release> {
	const folder = temporaryFolder(t);
	const name = `bursar-${version}-${PLATFORM}.tar.xz`;
	await makeSignedRelease(folder, version, { [name]: archive }, keyFile);
	const read = (file: string): Files[string] => readFileSync(join(folder, file));
	const names = [name, 'SHA256SUMS', ...(keyFile ? ['SHA256SUMS.sig'] : [])];
	return { folder, files: Object.fromEntries(names.map((file) => [file, read(file)])) };
}

/** What a server may answer instead, and what the installer must say. */
async function attacks(t: TestContext, good: Release): Promise<Record<string, { files: Files; says: RegExp }>> {
	const list = String(good.files.SHA256SUMS);
	const archive = good.files[ARCHIVE] as Buffer;
	const stranger = await release(t, undefined, makeSigningKey(temporaryFolder(t)));
	const older = await release(t, undefined, KEY, '1.2.2');
	const otherPurpose = join(temporaryFolder(t), 'SHA256SUMS');
	writeFileSync(otherPurpose, list);
	execFileSync('ssh-keygen', ['-Y', 'sign', '-f', KEY, '-n', 'file', otherPurpose], { stdio: 'ignore' });
	const signed = async (entries: readonly TarEntry[]) => (await release(t, packTar([...PROGRAM, ...entries]))).files;
	const missing = (response: ServerResponse) => response.writeHead(404).end();
	const endless = (response: ServerResponse) => {
		const more = () => {
			while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
		};
		response.on('drain', more).on('error', () => {});
		more();
	};
	const stray = /files that do not belong there/;
	const unsigned = /signature of SHA256SUMS is not right/;
	return {
		'an archive with other bytes': { files: { [ARCHIVE]: packTar([]) }, says: /checksum .* is not right/ },
		'a list that was changed after it was signed': {
			files: { SHA256SUMS: Buffer.from(list.replace(/^\w{8}/, '00000000')) },
			says: unsigned,
		},
		'no signature': { files: { 'SHA256SUMS.sig': missing }, says: /SHA256SUMS\.sig cannot be downloaded/ },
		'an empty signature': { files: { 'SHA256SUMS.sig': Buffer.alloc(0) }, says: unsigned },
		'all by a stranger with a key of his own': { files: stranger.files, says: unsigned },
		'a signature for another purpose': {
			files: { 'SHA256SUMS.sig': readFileSync(`${otherPurpose}.sig`) },
			says: unsigned,
		},
		'all of an older release': {
			files: { ...older.files, [ARCHIVE]: older.files[`bursar-1.2.2-${PLATFORM}.tar.xz`] as Buffer },
			says: /that of another version/,
		},
		'the archive of an older release in a list for this one': {
			files: (
				await release(t, packTar(PROGRAM.map((entry) => ({ ...entry, name: entry.name.replace(VERSION, '1.2.2') }))))
			).files,
			says: stray,
		},
		'a program that is of another version': {
			files: (
				await release(
					t,
					packTar(PROGRAM.map((entry) => ({ ...entry, content: entry.content?.replace(VERSION, '1.2.2') ?? '' }))),
				)
			).files,
			says: /is another version/,
		},
		'a truncated archive': {
			files: {
				[ARCHIVE]: (response) => {
					response.writeHead(200, { 'content-length': archive.length });
					response.write(archive.subarray(0, 100), () => response.destroy());
				},
			},
			says: /cannot be downloaded|checksum .* is not right/,
		},
		'an endless list': { files: { SHA256SUMS: endless }, says: /cannot be downloaded|is larger/ },
		'an endless archive': { files: { [ARCHIVE]: endless }, says: /cannot be downloaded|is larger/ },
		'a list that never comes': { files: { SHA256SUMS: () => {} }, says: /cannot be downloaded/ },
		'an archive that is a gigabyte when unpacked': {
			files: (await release(t, packHuge(temporaryFolder(t)))).files,
			says: /cannot be read/,
		},
		'a file that is called an archive': {
			files: (await release(t, Buffer.from('no archive'))).files,
			says: /cannot be read/,
		},
		'an empty archive': { files: (await release(t, compress(Buffer.alloc(1024)))).files, says: /does not start/ },
		'a file above the folder': {
			files: await signed([{ name: `${TOP}/../../../../../etc/evil`, content: 'x' }]),
			says: stray,
		},
		'an absolute path': { files: await signed([{ name: '/etc/evil', content: 'x' }]), says: stray },
		'a file beside the folder': { files: await signed([{ name: 'evil', content: 'x' }]), says: stray },
		'a link out of the folder, and a file through it': {
			files: await signed([
				{ name: `${TOP}/out`, type: '2', target: '/etc' },
				{ name: `${TOP}/out/evil`, content: 'x' },
			]),
			says: stray,
		},
		'a hard link out of the folder': {
			files: await signed([{ name: `${TOP}/shadow`, type: '1', target: '/etc/shadow' }]),
			says: stray,
		},
		'a device': { files: await signed([{ name: `${TOP}/null`, type: '3' }]), says: stray },
		'a program that runs as root for everyone': {
			files: await signed([{ name: `${TOP}/bin/su`, content: '#!/bin/sh\n', mode: 0o4755 }]),
			says: stray,
		},
	};
}

/** An archive whose one file is a gigabyte of zeros. */
function packHuge(folder: string): Buffer {
	mkdirSync(join(folder, TOP));
	execFileSync('truncate', ['--size=1G', join(folder, TOP, 'zeros')]);
	const command = `tar --create --owner=root --group=root ${TOP} | xz -0 -T2`;
	return execFileSync('sh', ['-c', command], { cwd: folder, maxBuffer: 2 ** 24 });
}

/** A system that has only one of the programs that download. */
async function rootWith(t: TestContext, tool: 'curl' | 'wget'): Promise<string> {
	const root = await openDebianRoot(t);
	writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
	rmSync(join(root, 'usr/bin', tool === 'curl' ? 'wget' : 'curl'));
	return root;
}

async function install(root: string, url: string, releaseFolder: string, args: readonly string[] = []) {
	const script = join(root, 'install.sh');
	copyFileSync(join(releaseFolder, 'install.sh'), script);
	const from = args.includes('--from') ? [] : ['--from', url];
	const shell = args.length === 0 ? 'dash' : 'bash';
	const ended = await run('chroot', [root, shell, '/install.sh', ...from, ...args]).then(
		({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
		({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
	);
	rmSync(script);
	return ended;
}

/** Everything in the root: the kind, the mode, the owner, and of files the size and the time of the last change. */
function seen(root: string): readonly string[] {
	const format = ['-type', 'd', '-printf', '%P %m %U %G\\n', '-o', '-printf', '%P %y %m %U %G %s %l %T@\\n'];
	return execFileSync('find', [root, '-xdev', ...format], { encoding: 'utf8', maxBuffer: 2 ** 26 })
		.split('\n')
		.sort();
}

async function serve(t: TestContext, files: Files, asked: string[] = []): Promise<string> {
	const { port } = await listen(t, createServer(answers(files, asked)));
	return `http://127.0.0.1:${port}`;
}

async function serveTls(t: TestContext, files: Files): Promise<string> {
	const options = { key: readFileSync(join(PEM, 'key.pem')), cert: readFileSync(join(PEM, 'self-signed.pem')) };
	const { port } = await listen(t, createTlsServer(options, answers(files, [])));
	return `https://localhost:${port}`;
}

function answers(files: Files, asked: string[]): RequestListener {
	return ({ url = '' }, response) => {
		const name = new URL(url, 'http://server').pathname.slice(1);
		asked.push(name);
		const answer = files[name];
		if (answer === undefined) response.writeHead(404).end();
		else if (Buffer.isBuffer(answer)) response.end(answer);
		else answer(response);
	};
}
