import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { PLATFORMS } from '../../src/programs.ts';
import { makeTree } from '../../src/tree.ts';
import { artifact, unpackedArchive, unpackedPackage, VERSION } from '../support/artifacts.ts';

const PLATFORM = `linux-${process.arch}`;
/** Some user that owns nothing else. */
const USER = '65533';
/** As that user, in a network with only its own loopback. */
const ALONE = ['unshare', '--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const AS_USER = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--'];

test('the archive runs as a user without rights in a network without a way out', async (t) => {
	const home = await unpackedArchive(t, 'bursar');
	chmodSync(join(home, '..'), 0o755);
	const dataDir = join(home, 'data');
	mkdirSync(dataDir, { mode: 0o700 });
	chownSync(dataDir, Number(USER), Number(USER));
	const environment = { BURSAR_DATA_DIR: dataDir };

	// One shell holds the network, because each call of unshare makes another one.
	const script = `
		set -e
		"$0" serve > "$BURSAR_DATA_DIR/log" &
		service=$!
		ready() { "$1" -e 'fetch("http://127.0.0.1:9464/readyz").then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))'; }
		node="$(dirname "$0")/../lib/node"
		for i in $(seq 100); do ready "$node" && break; sleep 0.2; done
		token=$("$0" reseller create acme --balance 5.00 --json | "$node" -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).token')
		BURSAR_URL=http://127.0.0.1:8080 BURSAR_TOKEN="$token" "$(dirname "$0")/bursarctl" account --json
		BURSAR_URL=http://127.0.0.1:8080 BURSAR_TOKEN="$token" "$(dirname "$0")/bursarctl" sub-user create erin --yes --json
		"$node" -e 'fetch("http://127.0.0.1:8080/dashboard").then((a) => console.log("pages", a.status))'
		"$(dirname "$0")/bursar-edge" --version
		"$0" ledger verify
		# The process is Node itself, so that it hears signals.
		echo "process $(cat /proc/$service/comm)"
		kill -TERM $service
		wait $service
		echo "ended $?"`;
	const used = startProcess(t, ['sh', '-c', script, join(home, 'bin/bursar')], {
		under: [...ALONE, ...AS_USER],
		environment,
	});
	const { stdout, stderr, code } = await used.ended;
	assert.equal(code, 0, stdout + stderr);
	assert.match(stdout, /"balance_usd_cents":500/);
	assert.match(stdout, /"username":"erin"/);
	assert.match(stdout, /^pages 200$/m);
	assert.match(stdout, /^process node-MainThread$/m);
	assert.match(stdout, /^ended 0$/m);
	assert.equal(statSync(join(dataDir, 'bursar.db')).uid, Number(USER));
});

test('an archive has less than 50 MB, and only what its platform runs', async () => {
	for (const product of ['bursar-1', 'bursar-edge']) {
		const file = await artifact(product, `-${PLATFORM}.tar.xz`);
		assert.ok(statSync(file).size < 75e6, 'compressed quickly, it is half again as large');
		const paths = execFileSync('tar', ['--list', '--file', file], { encoding: 'utf8' }).split('\n');
		const native = paths.filter((path) => path.endsWith('.node'));
		assert.deepEqual(
			native.map((path) => path.split('/').at(-1)),
			product === 'bursar-1' ? [`${PLATFORM}.node`] : [],
		);
		assert.ok(paths.some((path) => path.endsWith('/lib/node')));
		assert.ok(
			paths.every((path) => path === '' || path.startsWith(`${paths[0]}`)),
			'everything is in one folder',
		);
	}
});

/** What the program `file` says of the programs and the native files of a platform. */
const FORMATS: Readonly<Record<string, RegExp>> = {
	'linux-x64': /^ELF 64-bit .* x86-64/,
	'linux-arm64': /^ELF 64-bit .* ARM aarch64/,
	'darwin-arm64': /^Mach-O 64-bit arm64/,
	'darwin-x64': /^Mach-O 64-bit x86_64/,
	'win-x64': /^PE32\+ executable .* x86-64/,
};

test('the bill of materials names Node, what is installed and what is bundled in the pages, whose licences are there', async (t) => {
	const { components } = JSON.parse(readFileSync(await artifact(`bursar-${VERSION}-`, '.cdx.json'), 'utf8'));
	const names: string[] = components.map(({ name }: { name: string }) => name);
	for (const name of [`node-${PLATFORM}`, 'better-sqlite3', 'pg', 'react', '@mantine/core', 'wouter']) {
		assert.ok(names.includes(name), name);
	}
	const references = components.map((component: { 'bom-ref': string }) => component['bom-ref']);
	assert.equal(new Set(references).size, references.length);
	const home = await unpackedArchive(t, 'bursar');
	const licenses = readFileSync(join(home, 'lib/node_modules/bursar/pages/licenses.json'), 'utf8');
	assert.match(licenses, /"react-dom".*Copyright \(c\) Meta Platforms/s);
});

test('what is packed for each platform has the Node, its licence, the native file and the launchers of that platform', async (t) => {
	const folder = temporaryFolder(t);
	const builds = {
		server: await unpackedPackage(t, 'bursar'),
		cli: await unpackedPackage(t, 'bursarctl'),
		edge: await unpackedPackage(t, 'bursar-edge'),
		client: await unpackedPackage(t, 'bursar-client'),
	};
	for (const platform of Object.keys(PLATFORMS)) {
		const tree = makeTree('bursar', platform, { version: VERSION, builds }, folder);
		const at = (...path: string[]) => join(tree.folder, ...path);
		const isWindows = platform.startsWith('win');
		const prebuilds = at('lib/node_modules/better-sqlite3/prebuilds');
		for (const file of [at('lib', isWindows ? 'node.exe' : 'node'), ...filesIn(prebuilds)]) {
			assert.match(execFileSync('file', ['--brief', file], { encoding: 'utf8' }), FORMATS[platform] as RegExp, file);
		}
		assert.equal(readdirSync(prebuilds).length, 1);
		assert.match(readFileSync(at('lib/LICENSE-node'), 'utf8'), /^Node\.js is licensed for use as follows/);
		const launchers = ['bursar', 'bursar-edge', 'bursarctl'].map((name) => (isWindows ? `${name}.cmd` : name));
		assert.deepEqual(readdirSync(at('bin')).toSorted(), launchers.toSorted());
		rmSync(tree.folder, { recursive: true });
	}
});

function filesIn(folder: string): string[] {
	return readdirSync(folder).map((name) => join(folder, name));
}
