// The Debian packages that `npm run test:system` needs. If this file is run alone, it prints the missing ones.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One program of each package. */
const PROGRAMS = {
	bash: 'bash',
	bsdutils: 'script',
	buildah: 'buildah',
	'chromium-headless-shell': 'chromium-headless-shell',
	curl: 'curl',
	debootstrap: 'debootstrap',
	file: 'file',
	fish: 'fish',
	'golang-go': 'go',
	haproxy: 'haproxy',
	iproute2: 'ip',
	lintian: 'lintian',
	mount: 'mount',
	'openssh-client': 'ssh-keygen',
	pgbouncer: 'pgbouncer',
	prometheus: 'promtool',
	shellcheck: 'shellcheck',
	squid: 'squid',
	strace: 'strace',
	systemd: 'systemd-analyze',
	'util-linux': 'unshare',
	'xz-utils': 'xz',
	zsh: 'zsh',
};
const POSTGRES = '/usr/lib/postgresql';
const LIBRARIES = '/usr/lib';

/** The packages that are not installed. */
export function missingPackages() {
	const missing = Object.keys(PROGRAMS).filter((name) => !isProgram(PROGRAMS[name]));
	return [...missing, ...(hasPostgres() ? [] : ['postgresql']), ...(hasPythonVenv() ? [] : ['python3-venv'])];
}

function isProgram(name) {
	// Servers are in a folder that only root has in its `PATH`. Go of go.dev has a folder of its own.
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/go/bin'];
	return folders.some((folder) => existsSync(join(folder, name)));
}

/** Whether PostgreSQL is installed with `pg_basebackup`, which is in another package on some systems. */
function hasPostgres() {
	if (!existsSync(POSTGRES)) return false;
	return readdirSync(POSTGRES).some((version) =>
		['postgres', 'pg_basebackup'].every((name) => existsSync(join(POSTGRES, version, 'bin', name))),
	);
}

/** Whether Python can make environments. The package for it has no program, but a module of Python. */
function hasPythonVenv() {
	return readdirSync(LIBRARIES).some((name) => existsSync(join(LIBRARIES, name, 'ensurepip')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${missingPackages().join(' ')}\n`);
