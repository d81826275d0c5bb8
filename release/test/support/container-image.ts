import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDebianRoot } from '@bursar/testing/debian-root';
import { eventually } from '@bursar/testing/eventually';
import { run } from '@bursar/testing/packed';
import { type Ending, startProcess, type TestProcess } from '@bursar/testing/test-process';
import { writeContainerFiles } from '../../src/container.ts';

/** What the image says about how it is run. */
interface ImageConfig {
	readonly User: string;
	readonly Env: readonly string[];
	readonly Entrypoint: readonly string[];
	readonly Cmd: readonly string[];
	readonly WorkingDir: string;
	readonly StopSignal: NodeJS.Signals;
	readonly Volumes: Readonly<Record<string, object>>;
	readonly Labels: Readonly<Record<string, string>>;
	readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface Image {
	readonly config: ImageConfig;
	/** Its root file system. Containers mount it read-only. */
	readonly root: string;
}

export interface Container extends TestProcess {
	/** Runs a command in the container, as `docker exec` does. */
	exec(...command: string[]): Promise<Ending>;
	/** The health check of the image. */
	isHealthy(): Promise<boolean>;
	/** Stops it as engines do. */
	stop(): Promise<Ending>;
}

const BASE = 'docker.io/library/debian:13-slim';
const IMAGE = 'bursar:test';

/**
 * Builds the image from the Containerfile, the archive and its checksum. No registry is asked: under the name of the
 * base image there is the small Debian of this machine, which has the package that the Containerfile installs.
 */
export async function buildImage(test: TestContext, archive: string): Promise<Image> {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-image-'));
	const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];
	const buildah = async (...args: string[]) => {
		const { code, output } = await run(['buildah', ...storage, ...args], folder);
		assert.equal(code, 0, `buildah ${args[0]}: ${output}`);
		return output.trim();
	};
	test.after(() => {
		// The image is mounted below its storage.
		execFileSync('buildah', [...storage, 'umount', '--all']);
		// Some versions leave it mounted.
		execFileSync('sh', ['-c', 'if mountpoint -q "$0"; then umount "$0"; fi', join(folder, 'images/overlay')]);
		rmSync(folder, { recursive: true });
	});
	const base = await openDebianRoot(test);
	rmSync(join(base, 'etc/apt/sources.list'), { force: true });
	await buildah('from', '--name', 'base', 'scratch');
	await buildah('add', '--quiet', 'base', base, '/');
	await buildah('commit', '--quiet', 'base', BASE);

	const context = join(folder, 'context');
	mkdirSync(context);
	writeContainerFiles(context);
	copyFileSync(archive, join(context, basename(archive)));
	copyFileSync(join(dirname(archive), 'SHA256SUMS'), join(context, 'SHA256SUMS'));
	const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
	const options = ['--pull=never', '--isolation=chroot', '--format=docker', `--build-arg=TARGETARCH=${architecture}`];
	await buildah('bud', ...options, '--tag', IMAGE, context);

	await buildah('from', '--pull=never', '--name', 'container', IMAGE);
	const root = await buildah('mount', 'container');
	const { Docker } = JSON.parse(await buildah('inspect', '--type=image', IMAGE));
	return { config: Docker.config, root };
}

/**
 * Runs a container as the image says: as its user, with its variables and as process 1, on a read-only root, without a
 * capability. It shares the machine's network. `mounts` are folders and files of the machine by their paths in it.
 */
export function runContainer(
	test: TestContext,
	{ config, root }: Image,
	environment: Readonly<Record<string, string>>,
	mounts: Readonly<Record<string, string>>,
	command: readonly string[] = [...config.Entrypoint, ...config.Cmd],
): Container {
	const [user = '', group = ''] = config.User.split(':');
	const variables = [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
	const rights = ['--reuid', user, '--regid', group, '--clear-groups', '--no-new-privs', '--bounding-set', '-all'];
	const inside = ['env', '-i', `--chdir=${config.WorkingDir}`, ...variables, 'setpriv', ...rights, '--'];
	for (const [path, source] of Object.entries(mounts)) makeMountPoint(join(root, path), source);
	const bind = Object.entries(mounts).map(([path, source]) => `mount --bind '${source}' '${root}${path}'`);
	const setUp = [
		`mount --bind '${root}' '${root}'`,
		`mount -o remount,bind,ro '${root}'`,
		`mount -t proc proc '${root}/proc'`,
		`mount --rbind /dev '${root}/dev'`,
		`mount -t tmpfs tmpfs '${root}/tmp'`,
		...bind,
		`exec chroot '${root}' "$@"`,
	].join(' && ');
	const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child'];
	const container = startProcess(test, ['sh', '-c', setUp, 'sh', ...inside, ...command], { under: namespaces });

	async function exec(...line: string[]): Promise<Ending> {
		const children = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim();
		const enter = ['nsenter', '--target', children, '--mount', '--pid', '--root', '--wd'];
		return startProcess(test, [...enter, ...inside, ...line]).ended;
	}
	return {
		...container,
		exec,
		async isHealthy() {
			const [, ...check] = config.Healthcheck.Test;
			return (await exec(...check)).code === 0;
		},
		stop() {
			container.signal(config.StopSignal);
			return container.ended;
		},
	};
}

/** Waits until the health check passes. */
export function healthy(container: Container): Promise<void> {
	return eventually(async () => {
		if (!(await container.isHealthy())) throw new Error(`the container is not healthy: ${container.stdout()}`);
	}, 30_000);
}

/** As engines do, in the image's own root: what is mounted needs something to cover. */
function makeMountPoint(path: string, source: string): void {
	if (existsSync(path)) return;
	mkdirSync(dirname(path), { recursive: true });
	if (statSync(source).isDirectory()) mkdirSync(path);
	else writeFileSync(path, '');
}
