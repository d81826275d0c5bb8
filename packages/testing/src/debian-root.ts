import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

/** Beside Debian's smallest system: what an init process, our own packages and `install.sh` need. */
const PACKAGES = [
	...['adduser', 'ca-certificates', 'curl', 'dbus', 'libatomic1', 'libstdc++6'],
	...['openssh-client', 'systemd-sysv', 'wget', 'xz-utils'],
];

/**
 * The root of a small Debian system, of the release and the architecture of this machine. It is the test's own: a layer
 * over a system that all tests share. The first test on a machine makes the shared one from the machine's mirror, which
 * takes a minute or two. Needs root and the program `debootstrap`.
 */
export async function openDebianRoot(test: TestContext): Promise<string> {
	const shared = await sharedDebian();
	const folder = mkdtempSync(join(tmpdir(), 'bursar-debian-root-'));
	const [root, changes, work] = ['root', 'changes', 'work'].map((name) => join(folder, name)) as [
		string,
		string,
		string,
	];
	for (const path of [root, changes, work]) mkdirSync(path);
	execFileSync('mount', [
		'-t',
		'overlay',
		'overlay',
		'-o',
		`lowerdir=${shared},upperdir=${changes},workdir=${work}`,
		root,
	]);
	test.after(() => {
		// Also unmounts everything that a test has mounted in it.
		execFileSync('umount', ['--lazy', '--recursive', root]);
		rmSync(folder, { recursive: true });
	});
	return root;
}

/** The system that all tests of this machine share. Nothing may change it. */
async function sharedDebian(): Promise<string> {
	const { mirror, release } = debianMirror();
	const name = createHash('sha256').update(`${release} ${PACKAGES}`).digest('hex').slice(0, 12);
	const folder = join(tmpdir(), `bursar-debian-${name}-${process.getuid?.()}`);
	// debootstrap writes the whole system or fails, and test files run at the same time.
	const make = `test -e "$1" || {
		rm -rf "$1.draft" && debootstrap --variant=minbase --include="$2" "$3" "$1.draft" "$4" >&2 &&
		rm -rf "$1.draft"/var/cache/apt/archives/*.deb && mv "$1.draft" "$1"; }`;
	const args = [`${folder}.lock`, 'sh', '-c', make, 'sh', folder, PACKAGES.join(), release, mirror];
	await promisify(execFile)('flock', args, { env: { ...process.env, ...aptProxy() }, maxBuffer: 2 ** 24 });
	// Another user could have made a folder of this name, and root runs its programs.
	if (lstatSync(folder).uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user`);
	return folder;
}

/** The mirror from which this machine installs its own packages. */
function debianMirror(): { mirror: string; release: string } {
	const release = execFileSync('sh', ['-c', '. /etc/os-release && printf %s "$VERSION_CODENAME"'], {
		encoding: 'utf8',
	});
	const targets = execFileSync(
		'apt-get',
		['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Created-By: Packages', 'Component: main'],
		{ encoding: 'utf8' },
	);
	const lines = targets.split('\n').map((line) => line.split(' '));
	const mirror = lines.find(([, name]) => name === release)?.[0];
	if (!mirror) throw new Error(`apt of this machine has no mirror of ${release || 'Debian'}`);
	return { mirror, release };
}

function aptProxy(): Record<string, string> {
	const line = execFileSync('apt-config', ['shell', 'PROXY', 'Acquire::http::Proxy'], { encoding: 'utf8' });
	const proxy = /^PROXY='(.+)'$/m.exec(line)?.[1];
	return proxy && proxy !== 'DIRECT' ? { http_proxy: proxy } : {};
}
