import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { type BootedDebian, bootDebian } from '@bursar/testing/booted-debian';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { makeArchive } from '../../src/archive.ts';
import { artifact, unpackedArchive, VERSION } from '../support/artifacts.ts';
import { BURSAR, claimService, EDGE_IS_READY } from '../support/installed-service.ts';
import { makeSignedRelease, makeSigningKey, packTar } from '../support/signed-release.ts';

const PLATFORM = `linux-${process.arch}`;
const NEWER = '9.0.0';
const BROKEN = '9.1.0';
const RELEASES = 'http://127.0.0.1:9000';
const SERVER = `require("http").createServer(({ url }, response) => require("fs").createReadStream("/srv" + url)
	.on("error", () => response.writeHead(404).end()).pipe(response)).listen(9000, "127.0.0.1")`;

test('what is installed, upgraded, brought back after a failed upgrade, removed and installed again keeps its store', async (t) => {
	const debian = await bootWithReleases(t);
	// Node needs a library that a small Debian lacks.
	const [library = ''] = (await debian.do('find /usr/lib -name libatomic.so.1')).split('\n');
	await debian.do(`mv ${library} /root`);
	const lacking = await install(debian, VERSION);
	assert.equal(lacking.code, 1, lacking.output);
	assert.match(lacking.output, /does not start on this system.*apt-get install libatomic1/s);
	assert.equal(await debian.do('find /usr/local /etc -name "bursar*"'), '');
	await debian.do(`mv /root/libatomic.so.1 ${library}`);

	const first = await install(debian, VERSION);
	assert.equal(first.code, 0, first.output);
	assert.match(first.output, new RegExp(`^bursar ${VERSION} runs\\.$`, 'm'));
	assert.equal((await debian.do('systemctl is-enabled bursar')).trim(), 'enabled');
	assert.equal((await debian.do('stat -c %U /proc/$(systemctl show bursar -p MainPID --value)')).trim(), 'bursar');
	assert.equal(
		(await debian.do('stat -c "%a %U" /var/lib/bursar /etc/bursar/bursar.env')).trim(),
		'700 bursar\n600 root',
	);

	// Everything that it prints works.
	assert.match(first.output, /^ {2}API and dashboard {3}http:\/\/127\.0\.0\.1:8080$/m);
	const [, readyCommand = ''] = /^ {2}(curl http.+)$/m.exec(first.output) ?? [];
	assert.match(await debian.do(quiet(readyCommand)), /^ready/);
	const [, link = ''] = /^ {2}(http:\/\/\S+#\S+)$/m.exec(first.output) ?? [];
	await claimService(debian, link);
	const [, create = ''] = /^ {2}(bursar reseller create .*)$/m.exec(first.output) ?? [];
	const token = /brs_\w+/.exec(await debian.do(create))?.[0] ?? assert.fail(create);
	const [, curl = ''] = /^ {2}(curl -H .*)$/m.exec(first.output) ?? [];
	const account = async (command = curl) => JSON.parse(await debian.do(quiet(command.replace('TOKEN', token)))).data;
	const before = await account();
	assert.equal(before.balance, 50_000);

	// The same version again repairs the programs, and keeps the settings.
	await debian.do(`printf 'BURSAR_PORT=8090\\n' >> /etc/bursar/bursar.env
		rm /usr/local/lib/bursar/current/bin/bursarctl`);
	const again = await install(debian, VERSION);
	assert.equal(again.code, 0, again.output);
	assert.doesNotMatch(again.output, /first operator/, 'there is one');
	const moved = curl.replace(':8080', ':8090');
	assert.ok(again.output.includes(moved));
	assert.deepEqual(await account(moved), before);
	assert.equal((await debian.do('bursarctl --version')).trim(), VERSION);

	// A unit that was changed by hand stays, too.
	const unit = '/etc/systemd/system/bursar.service';
	await debian.do(`printf '# Mine.\\n' >> ${unit}`);
	const upgraded = await install(debian, NEWER);
	assert.equal(upgraded.code, 0, upgraded.output);
	assert.match(upgraded.output, /You changed .*bursar\.service\. It stays/);
	assert.match(await debian.do(`cat ${unit}`), /# Mine\./);
	assert.equal((await debian.do('bursar --version')).trim(), NEWER);
	assert.deepEqual(await account(moved), before);
	await debian.do(`mv ${unit}.new ${unit}`);

	const older = await install(debian, VERSION);
	assert.equal(older.code, 1, older.output);
	assert.match(older.output, new RegExp(`bursar ${NEWER} is installed, which is newer[^]*--downgrade`));
	assert.equal((await debian.do('bursar --version')).trim(), NEWER);

	const failed = await install(debian, BROKEN);
	assert.equal(failed.code, 1, failed.output);
	assert.match(failed.output, new RegExp(`bursar ${BROKEN} does not start[^]*bursar ${NEWER} runs again`));
	assert.match(await debian.do('journalctl -u bursar -n 100'), /this version is broken/);
	assert.equal((await debian.do('bursar --version')).trim(), NEWER);
	assert.doesNotMatch(await debian.do(`cat ${unit}`), /Broken/);
	assert.deepEqual(await account(moved), before);

	// A setting that is wrong keeps both from starting.
	await debian.do("printf 'BURSAR_PORT=none\\n' >> /etc/bursar/bursar.env");
	const neither = await install(debian, BROKEN);
	assert.equal(neither.code, 1, neither.output);
	assert.match(neither.output, new RegExp(`${NEWER} does not start either`));
	await debian.do('sed -i /none/d /etc/bursar/bursar.env');

	const removed = await debian.do(`sh /srv/v${VERSION}/install.sh --uninstall`);
	assert.match(removed, /settings {2}\/etc\/bursar\n {2}data {6}\/var\/lib\/bursar\n/);
	assert.equal(await debian.do('find /usr/local /etc/systemd -name "bursar*"'), '');
	assert.equal(await debian.do('find /proc -maxdepth 1 -user bursar'), '');
	const back = await install(debian, NEWER);
	assert.equal(back.code, 0, back.output);
	assert.deepEqual(await account(moved), before);
});

test('a proxy host joins with a link, and the installer starts what has joined', async (t) => {
	const debian = await bootWithReleases(t);
	// Settings that are there before the first installation are used.
	await debian.do("mkdir /etc/bursar && printf 'BURSAR_EDGE_PORT=8081\\n' > /etc/bursar/bursar.env");
	assert.equal((await install(debian, VERSION)).code, 0);
	const installed = await install(debian, VERSION, '--edge');
	assert.equal(installed.code, 0, installed.output);
	assert.match(installed.output, /^ {2}bursar-edge join LINK\n {2}systemctl start bursar-edge$/m);
	assert.equal((await debian.do('systemctl is-enabled bursar-edge')).trim(), 'enabled');

	const { link } = JSON.parse(await debian.do(`${BURSAR} edge create frankfurt-1 --json`));
	await debian.do(`bursar-edge join '${link}' && systemctl start bursar-edge`);
	assert.equal(
		await debian.do('cd /etc/bursar-edge && stat -c "%n %a %U %G" *'),
		'bursar-edge.env 600 root root\nkey 640 root bursar-edge\n',
	);
	await debian.do(EDGE_IS_READY);
	assert.match(await debian.do(`${BURSAR} edge list`), /frankfurt-1 +active/);

	const again = await install(debian, VERSION, '--edge');
	assert.match(again.output, new RegExp(`^bursar-edge ${VERSION} runs\\.$`, 'm'));
	await debian.do(EDGE_IS_READY);
	assert.match(await debian.do(`sh /srv/v${VERSION}/install.sh --edge --uninstall`), /settings {2}\/etc\/bursar-edge/);
	assert.equal(await debian.do('find /proc -maxdepth 1 -user bursar-edge'), '');
	await debian.do('test -s /etc/bursar-edge/key && curl -sSf http://127.0.0.1:9464/readyz');
});

const releases = mkdtempSync(join(tmpdir(), 'bursar-test-'));
after(() => rmSync(releases, { recursive: true }));
let made: Promise<void> | undefined;

/** A Debian that has signed releases, and a server of them. */
async function bootWithReleases(t: TestContext): Promise<BootedDebian> {
	made ??= makeReleases(t);
	await made;
	const debian = await bootDebian(t);
	cpSync(releases, join(debian.root, 'srv'), { recursive: true });
	// The small Debian has no server of files. This Node runs there.
	copyFileSync(process.execPath, join(debian.root, 'srv/node'));
	await debian.do(`systemd-run --quiet /srv/node -e '${SERVER}'
		until curl -sf -o /dev/null ${RELEASES}/v${VERSION}/SHA256SUMS; do sleep 0.1; done`);
	return debian;
}

/** Without a meter of its progress. An answer with an error fails. */
function quiet(curl: string): string {
	return curl.replace('curl', 'curl -sSf');
}

function install(debian: BootedDebian, version: string, ...args: readonly string[]) {
	return debian.run(`sh /srv/v${version}/install.sh --from ${RELEASES}/v${version} ${args.join(' ')}`);
}

/** This version, one that differs only in its number, and one that cannot start. */
async function makeReleases(t: TestContext): Promise<void> {
	const key = makeSigningKey(temporaryFolder(t));
	const archives = [await artifact('bursar-1', '.tar.xz'), await artifact('bursar-edge-', '.tar.xz')];
	for (const [version, files] of [
		[VERSION, Object.fromEntries(archives.map((file) => [basename(file), readFileSync(file)]))],
		[NEWER, { [`bursar-${NEWER}-${PLATFORM}.tar.xz`]: await newerArchive(t) }],
		[BROKEN, { [`bursar-${BROKEN}-${PLATFORM}.tar.xz`]: brokenArchive() }],
	] as const) {
		await makeSignedRelease(join(releases, `v${version}`), version, files, key);
	}
}

async function newerArchive(t: TestContext): Promise<Buffer> {
	const present = await unpackedArchive(t, 'bursar');
	const folder = join(present, `../bursar-${NEWER}-${PLATFORM}`);
	renameSync(present, folder);
	const replace = 'grep -rlF --include=*.js "$1" lib/node_modules/bursar | xargs sed -i "s/$1/$2/"';
	execFileSync('sh', ['-c', replace, 'sh', VERSION, NEWER], { cwd: folder });
	return readFileSync(makeArchive({ folder }, { sourceDateEpoch: 1_790_000_000, isQuick: true }, temporaryFolder(t)));
}

function brokenArchive(): Buffer {
	const top = `bursar-${BROKEN}-${PLATFORM}`;
	const program = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${BROKEN}; else echo this version is broken; exit 1; fi\n`;
	const unit = readFileSync(join(import.meta.dirname, '../../../docs/examples/bursar.service'), 'utf8');
	return packTar([
		{ name: `${top}/bin/bursar`, content: program },
		{ name: `${top}/bin/bursarctl`, content: program },
		{ name: `${top}/etc/bursar.env`, mode: 0o644 },
		{ name: `${top}/systemd/bursar.service`, content: `# Broken.\n${unit}`, mode: 0o644 },
	]);
}
