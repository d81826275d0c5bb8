import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bootDebian } from '@bursar/testing/booted-debian';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { debianVersion, makeDebianPackage } from '../../src/debian.ts';
import { unpackedArchive, VERSION } from '../support/artifacts.ts';
import { BURSAR, claimService, EDGE_IS_READY } from '../support/installed-service.ts';

const PLATFORM = `linux-${process.arch}`;
const NEWER = '9.0.0';
const EPOCH = 1_790_000_000;
const FETCH_STATUS = "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:9464/readyz";

async function packageOf(test: TestContext, product: 'bursar' | 'bursar-edge', version = VERSION) {
	return makeDebianPackage({
		tree: await unpackedArchive(test, product),
		product,
		version,
		platform: PLATFORM,
		sourceDateEpoch: EPOCH,
		outFolder: temporaryFolder(test),
		isQuick: true,
	});
}

test('a store outlives upgrade, removal, purge and installation of the package', async (t) => {
	const debian = await bootDebian(t);
	withConffile(await packageOf(t, 'bursar'), join(debian.root, 'root/old.deb'));
	copyFileSync(await packageOf(t, 'bursar', NEWER), join(debian.root, 'root/new.deb'));
	const installed = await debian.do('dpkg --install /root/old.deb');
	const claim = /^ {2}(bursar operator claim)$/m.exec(installed)?.[1] ?? assert.fail(installed);
	assert.match(await debian.do('dpkg --status bursar'), /^Depends:.* libatomic1,/m);
	assert.equal(await debian.do(FETCH_STATUS), '200');
	assert.match(
		await debian.do('systemctl show bursar -p ActiveState,SubState,User'),
		/User=bursar[\s\S]*SubState=running/,
	);
	assert.equal((await debian.do('stat -c "%a %U %G" /var/lib/bursar')).trim(), '700 bursar bursar');
	assert.equal((await debian.do('stat -c "%a %U %G" /etc/bursar/bursar.env')).trim(), '600 root root');
	assert.equal((await debian.do('stat -c %U /proc/$(systemctl show bursar -p MainPID --value)')).trim(), 'bursar');

	// The documents are where Debian has them, and messages name them there.
	const pages = '/usr/share/doc/bursar/docs';
	await debian.do(
		`cd ${pages} && test -f operating/README.md -a -f examples/alerts.yaml && zcat ../CHANGELOG.md.gz | grep -q .`,
	);
	const examined = (await debian.run('bursar doctor')).output;
	assert.ok(examined.includes(`: ${pages}/operating/backup-and-restore.md`), examined);

	// Root works on the store of the service, wherever it stands, and makes nothing that the service could not read.
	await debian.do('cd /root && bursar reseller create acme > output');
	assert.match(await debian.do(`${BURSAR} reseller list`), /acme/);
	assert.equal((await debian.do('find /var/lib/bursar ! -user bursar; find /root -name data')).trim(), '');
	const asNobody = await debian.run('setpriv --reuid nobody --clear-groups bursar reseller list');
	assert.equal(asNobody.code, 1);
	assert.match(asNobody.output, /bursar\.env are not for this user: run this with sudo/);

	// The service sees the rest of the system read-only, and none of its capabilities.
	const pid = (await debian.do('systemctl show bursar -p MainPID --value')).trim();
	assert.match(
		await debian.do(`cat /proc/${pid}/status`),
		/CapEff:\t0+\nCapBnd:\t0+\n[\s\S]*NoNewPrivs:\t1\n[\s\S]*Seccomp:\t2\n/,
	);
	const denied = await debian.run(`nsenter --target ${pid} --mount touch /etc/changed`);
	assert.notEqual(denied.code, 0);
	assert.match(denied.output, /Read-only file system/);

	await debian.do(`kill -KILL ${pid}`);
	await debian.do(`for i in $(seq 100); do
		[ "$(systemctl show bursar -p MainPID --value)" != ${pid} ] && systemctl is-active --quiet bursar && exit 0
		sleep 0.2
	done; exit 1`);
	assert.equal(await debian.do(FETCH_STATUS), '200');

	await debian.do("printf 'BURSAR_PORT=8090\\n' >> /etc/bursar/bursar.env");
	const before = (await debian.do('systemctl show bursar -p MainPID --value')).trim();
	await debian.do('dpkg --install /root/new.deb </dev/null');
	assert.notEqual((await debian.do('systemctl show bursar -p MainPID --value')).trim(), before);
	assert.match(await debian.do('dpkg --status bursar'), new RegExp(`^Version: ${NEWER}$`, 'm'));
	assert.match(await debian.do('cat /etc/bursar/bursar.env'), /BURSAR_PORT=8090/);
	assert.equal(await debian.do(FETCH_STATUS), '200');
	const link = /http:\S+#\S+/.exec(await debian.do(claim))?.[0] ?? assert.fail('there is no link');
	assert.equal(new URL(link).port, '8090', 'the command knows the settings');
	await claimService(debian, link);
	assert.match(await debian.do('bursar reseller list'), /acme/);

	await debian.do('dpkg --remove bursar');
	assert.notEqual((await debian.run('test -e /usr/lib/bursar')).code, 0);
	assert.notEqual((await debian.run('systemctl is-active bursar')).code, 0);
	assert.equal(await debian.do('find /proc -maxdepth 1 -user bursar'), '');
	assert.match(await debian.do('cat /etc/bursar/bursar.env'), /BURSAR_PORT=8090/);
	assert.match(await debian.do('dpkg --purge bursar'), /\/var\/lib\/bursar is kept/);
	assert.notEqual((await debian.run('test -e /etc/bursar')).code, 0);
	await debian.do('dpkg --install /root/new.deb');
	assert.equal(await debian.do(FETCH_STATUS), '200');
	assert.match(await debian.do('bursar reseller list'), /acme/);
	assert.equal((await debian.do('stat -c "%a %U %G" /etc/bursar/bursar.env')).trim(), '600 root root');
	assert.doesNotMatch(await debian.do('dpkg --status bursar'), /Conffiles/);
});

/** As packages were whose settings were a conffile. */
function withConffile(file: string, to: string): void {
	const script = `dpkg-deb --raw-extract "$0" d && install -D -m 600 d/usr/lib/bursar/etc/bursar.env d/etc/bursar/bursar.env
		echo '# Explained in another way.' >> d/etc/bursar/bursar.env && echo /etc/bursar/bursar.env > d/DEBIAN/conffiles
		dpkg-deb --root-owner-group -Zgzip -z1 --build d "$1"`;
	const cwd = mkdtempSync(join(tmpdir(), 'bursar-test-'));
	execFileSync('sh', ['-ec', script, file, to], { cwd });
	rmSync(cwd, { recursive: true });
}

test('the proxy starts once it has a key, beside the service, and purge leaves nothing', async (t) => {
	const debian = await bootDebian(t);
	for (const product of ['bursar', 'bursar-edge'] as const) {
		copyFileSync(await packageOf(t, product), join(debian.root, `root/${product}.deb`));
	}
	await debian.do('dpkg --install /root/bursar.deb /root/bursar-edge.deb');
	assert.equal((await debian.run('systemctl is-active bursar-edge')).output.trim(), 'inactive');
	assert.equal((await debian.do('systemctl is-enabled bursar-edge')).trim(), 'enabled');

	await debian.do("printf 'BURSAR_EDGE_PORT=8081\\n' >> /etc/bursar/bursar.env; systemctl restart bursar");
	const created = await debian.do(`${BURSAR} edge create test-1 --json`);
	await debian.do(`bursar-edge join '${JSON.parse(created).link}' && systemctl start bursar-edge`);
	assert.equal(
		await debian.do('cd /etc/bursar-edge && stat -c "%n %a %U %G" *'),
		'bursar-edge.env 600 root root\nkey 640 root bursar-edge\n',
	);
	await debian.do(EDGE_IS_READY);
	assert.equal(
		(await debian.do('stat -c %U /proc/$(systemctl show bursar-edge -p MainPID --value)')).trim(),
		'bursar-edge',
	);
	await debian.do('dpkg --purge bursar-edge');
	assert.equal((await debian.run('ls -d /etc/bursar-edge /var/lib/bursar-edge 2>/dev/null')).output, '');
	assert.equal(await debian.do(FETCH_STATUS), '200');
});

test('the packages are the same bytes each time, and lintian finds no error', async (t) => {
	const [first, second] = [await packageOf(t, 'bursar-edge'), await packageOf(t, 'bursar-edge')];
	assert.match(first, new RegExp(`bursar-edge_${debianVersion(VERSION)}_(amd64|arm64)\\.deb$`));
	execFileSync('cmp', [first, second]);
	execFileSync('lintian', ['--fail-on', 'error', first, await packageOf(t, 'bursar')]);
});
