import { execFile } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Ending, startProcess, type TestProcess } from '@bursar/testing/test-process';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../../../..');
const CONFIGURATION = join(REPOSITORY, 'docs/edge/squid.conf');
const EDGE_COMMAND = [process.execPath, join(REPOSITORY, 'packages/edge/bin/bursar-edge.js')];
/** The user that Debian's package makes for Squid. */
const AS_SQUID = ['setpriv', '--reuid', 'proxy', '--regid', 'proxy', '--clear-groups'];
const MAY_END_CONNECTIONS = ['--inh-caps', '+net_admin', '--ambient-caps', '+net_admin'];
const START_LIMIT_MS = 60_000;

/** A proxy host with Debian's Squid, configured as in the documentation, without the service. Ends with the test. */
export interface SquidHost {
	readonly port: number;
	/** The access log that bytes are counted from. */
	readonly log: string;
	/** What Squid and its helpers have written to the log of Squid. */
	cacheLog(): string;
	/** The ids of the helpers that run now. */
	helpers(): readonly number[];
	readonly squid: Program;
	readonly usage: Program;
	/** The address of the health and metrics of `squid-usage`. */
	opsUrl(): string;
}

/** A program that tests end and start again. */
interface Program {
	start(): Promise<void>;
	kill(signal: NodeJS.Signals): Promise<Ending>;
	/** The present process. */
	process(): TestProcess;
}

export interface SquidHostOptions {
	readonly edgeUrl: string;
	readonly key: string;
	readonly cuts?: boolean;
	readonly mayEnd?: boolean;
}

/** Needs root and the Debian package squid. */
export async function startSquidHost(test: TestContext, options: SquidHostOptions): Promise<SquidHost> {
	const folder = temporaryFolder(test);
	const proxy = await userId('proxy');
	chownSync(folder, proxy, proxy);
	const port = await freePort();
	const [key, log, socket] = [join(folder, 'key'), join(folder, 'bursar.log'), join(folder, 'squid.sock')];
	writeFileSync(key, options.key);
	chmodSync(key, 0o640);
	chownSync(key, 0, proxy);
	const file = join(folder, 'squid.conf');
	writeFileSync(file, configuration({ folder, port, ...options }));
	const environment = { BURSAR_EDGE_URL: options.edgeUrl, BURSAR_EDGE_KEY_FILE: key };

	const squid = program(async () => {
		const started = startProcess(test, [...AS_SQUID, 'squid', '-N', '-f', file]);
		await eventually(
			() => accepts(port),
			START_LIMIT_MS,
			() => started.child.exitCode !== null,
		);
		return started;
	});
	const usage = program(async () => {
		const started = startProcess(
			test,
			[
				...AS_SQUID,
				...(options.cuts && options.mayEnd ? MAY_END_CONNECTIONS : []),
				...EDGE_COMMAND,
				...['squid-usage', '--log', log, '--manager', `http://127.0.0.1:${port}`, '--ops-port', '0'],
				...(options.cuts ? ['--cut', socket] : []),
			],
			{ environment },
		);
		await eventually(
			async () => readyLine(started),
			START_LIMIT_MS,
			() => started.child.exitCode !== null,
		);
		return started;
	});
	await squid.start();
	await usage.start();
	return {
		port,
		log,
		squid,
		usage,
		cacheLog: () => readFileSync(join(folder, 'cache.log'), 'latin1'),
		helpers: () => childrenOf(squid.process().pid),
		opsUrl: () => readyLine(usage.process()),
	};
}

/** The path of `bursar-edge`. Squid divides a command at spaces, and the checkout may be in a path with some. */
function edgeProgram(folder: string): string {
	const file = join(folder, 'bursar-edge');
	const quoted = EDGE_COMMAND.map((part) => `'${part.replaceAll("'", "'\\''")}'`);
	writeFileSync(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
	chmodSync(file, 0o755);
	return file;
}

/** The documentation's file with the paths, port and address of this test. Throws if one of them is not in it. */
function configuration({
	folder,
	port,
	edgeUrl,
}: Pick<SquidHostOptions, 'edgeUrl'> & { folder: string; port: number }): string {
	const changes = [
		['http_port 3128', `http_port ${port}`],
		['/var/log/squid/', `${folder}/`],
		['/usr/bin/bursar-edge', edgeProgram(folder)],
		['/run/bursar-edge/', `${folder}/`],
		['/etc/bursar-edge/key', join(folder, 'key')],
		['https://edge.bursar.example', edgeUrl],
	] as const;
	const own = [`pid_filename ${folder}/squid.pid`, `cache_log ${folder}/cache.log`, `coredump_dir ${folder}`];
	const text = changes.reduce(
		(before, [from, to]) => {
			if (!before.includes(from)) throw new Error(`docs/edge/squid.conf has no ${from}`);
			return before.replaceAll(from, to);
		},
		readFileSync(CONFIGURATION, 'utf8'),
	);
	return [...own, 'visible_hostname squid.test', text].join('\n');
}

function program(begin: () => Promise<TestProcess>): Program {
	let current: TestProcess | undefined;
	const present = () => {
		if (!current) throw new Error('the program was not started');
		return current;
	};
	return {
		async start() {
			current = await begin();
		},
		kill(signal) {
			present().signal(signal);
			return present().ended;
		},
		process: present,
	};
}

/** The address in the line that says that the program is ready. */
function readyLine(usage: TestProcess): string {
	for (const line of usage.stdout().split('\n').slice(0, -1)) {
		const { msg, opsUrl } = JSON.parse(line);
		if (msg === 'ready') return opsUrl;
	}
	throw new Error('squid-usage is not ready');
}

function accepts(port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1');
		socket.on('error', reject).on('connect', () => {
			socket.destroy();
			resolve();
		});
	});
}

function childrenOf(pid: number): readonly number[] {
	return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

async function userId(name: string): Promise<number> {
	return Number((await run('id', ['-u', name])).stdout);
}
