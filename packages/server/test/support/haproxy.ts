import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';

/** Debian's HAProxy with the operating guide's example configuration. Ends with the test. */
export interface Haproxy {
	readonly url: string;
	/** Sends a line to the admin socket, and returns the answer. */
	command(line: string): Promise<string>;
	/** The status of a server such as `bursar/bursar1`: `UP`, `DOWN`, `DRAIN`, `no check` and others. */
	status(server: string): Promise<string>;
	/** The last lines of its log. */
	log(): string;
}

/** Where a process listens. */
interface Addresses {
	readonly url: string;
	readonly opsUrl: string;
}

const PROGRAM = '/usr/sbin/haproxy';
const EXAMPLE = join(import.meta.dirname, '../../../../docs/examples/haproxy.cfg');

/** Starts it in front of the servers, which the example calls bursar1, bursar2 and so on. */
export async function startHaproxy(test: TestContext, servers: readonly Addresses[]): Promise<Haproxy> {
	const port = await freePort();
	const folder = mkdtempSync(join(tmpdir(), 'bursar-haproxy-'));
	const configuration = join(folder, 'haproxy.cfg');
	const adminSocket = join(folder, 'admin.sock');
	writeFileSync(configuration, configurationFor(servers, port, adminSocket));
	const child = spawn(PROGRAM, ['-db', '-f', configuration], { stdio: ['ignore', 'pipe', 'pipe'] });
	let log = '';
	for (const output of [child.stdout, child.stderr]) {
		output.setEncoding('utf8').on('data', (text: string) => {
			log = (log + text).slice(-20_000);
		});
	}
	const ended = once(child, 'close');
	test.after(async () => {
		child.kill('SIGKILL');
		await ended;
		rmSync(folder, { recursive: true, force: true });
	});
	await once(child, 'spawn');

	async function command(line: string): Promise<string> {
		const socket = connect(adminSocket);
		socket.end(`${line}\n`);
		return (await text(socket)).trim();
	}
	await eventually(async () => {
		if (child.exitCode !== null) throw new Error(`HAProxy ended: ${log}`);
		await command('show info');
	});
	return {
		url: `http://127.0.0.1:${port}`,
		command,
		log: () => log,
		async status(server) {
			const [heading = '', ...lines] = (await command('show stat')).replace(/^# /, '').split('\n');
			const columns = heading.split(',');
			const [backend, name] = server.split('/');
			const row = lines.map((line) => line.split(',')).find(([first, second]) => first === backend && second === name);
			return row?.[columns.indexOf('status')] ?? 'unknown';
		},
	};
}

/** The example with the addresses of this test. */
function configurationFor(servers: readonly Addresses[], port: number, adminSocket: string): string {
	const lines = readFileSync(EXAMPLE, 'utf8').split('\n');
	const isRoot = process.getuid?.() === 0;
	return lines
		.filter((line) => isRoot || !/^\t(user|group) /.test(line))
		.map((line) =>
			line
				.replace(/^\tbind :80$/, `\tbind 127.0.0.1:${port}`)
				.replace(/^\tstats socket \S+/, `\tstats socket ${adminSocket}`)
				.replace(/^\tserver bursar(\d) \S+$/, (_, number) => {
					const server = servers[Number(number) - 1];
					if (!server) throw new Error(`the example has a server ${number}`);
					return `\tserver bursar${number} ${new URL(server.url).host} port ${new URL(server.opsUrl).port}`;
				}),
		)
		.join('\n');
}
