import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openDebianRoot } from './debian-root.ts';
import { type Ending, run } from './packed.ts';

/** A Debian of its own, with systemd as its first process. It shares the kernel, and nothing else, with this machine. */
export interface BootedDebian {
	/** Its root, as this machine sees it. */
	readonly root: string;
	/** Runs a script of the shell in it, as its root. */
	run(script: string): Promise<Ending>;
	/** Runs a script that must succeed. Resolves with its output. */
	do(script: string): Promise<string>;
}

/** What the kernel offers a container: a /dev with only harmless devices, and a tree of control groups of its own. */
const BOOT = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
	touch dev/$device
	mount --bind /dev/$device dev/$device
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
pivot_root . .
umount --lazy .
exec env -i container=other "$2" /lib/systemd/systemd --log-target=journal
`;
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NAMESPACES = ['--pid', '--mount', '--uts', '--ipc', '--net', '--cgroup'];
const BOOT_LIMIT_MS = 120_000;

/** Needs root. The system ends with the test. Its network has only the loopback device. */
export async function bootDebian(test: TestContext): Promise<BootedDebian> {
	// Before the root is opened: what was registered first ends first, and the root must be free before it is removed.
	const group = openControlGroup(test);
	const root = await openDebianRoot(test);
	// It enters the control group first: what it can see of the tree begins there.
	const enter = `echo $$ > "$2/cgroup.procs" && exec unshare --fork --kill-child ${NAMESPACES.join(' ')} sh -c "$3" sh "$1" "$4"`;
	const child = spawn('sh', ['-c', enter, 'sh', root, group, BOOT, PATH], { stdio: 'ignore' });
	const init = await firstProcess(child.pid as number);
	const inside = (script: string) =>
		run(['nsenter', '--target', init, '--all', 'env', '-i', PATH, 'LC_ALL=C', 'sh', '-c', script], '/');
	const endsAt = performance.now() + BOOT_LIMIT_MS;
	while (!(await inside('systemctl is-system-running')).output.startsWith('running')) {
		if (performance.now() > endsAt) assert.fail((await inside('systemctl --failed; systemctl list-jobs')).output);
		await setTimeout(200);
	}
	return {
		root,
		run: inside,
		async do(script) {
			const { code, output } = await inside(script);
			assert.equal(code, 0, `${script}\n${output}`);
			return output;
		},
	};
}

/** The process that has the number 1 in its own namespace. */
async function firstProcess(parent: number): Promise<string> {
	const endsAt = performance.now() + BOOT_LIMIT_MS;
	for (;;) {
		const [init] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ');
		if (init && readFileSync(`/proc/${init}/comm`, 'utf8').trim() === 'systemd') return init;
		if (performance.now() > endsAt) throw new Error('the Debian system does not begin to boot');
		await setTimeout(50);
	}
}

function openControlGroup(test: TestContext): string {
	const mounted = execFileSync('findmnt', ['-n', '-t', 'cgroup2', '-o', 'TARGET'], { encoding: 'utf8' }).split('\n')[0];
	assert.ok(mounted, 'this machine has no cgroup2');
	const group = join(mounted, `bursar-test-${process.pid}-${Date.now()}`);
	mkdirSync(group);
	test.after(async () => {
		writeFileSync(join(group, 'cgroup.kill'), '1');
		const events = join(group, 'cgroup.events');
		while (readFileSync(events, 'utf8').includes('populated 1')) await setTimeout(50);
		execFileSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
	});
	return group;
}
