import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { runInProcess } from '@bursar/testing/in-process';
import { programFile } from '@bursar/testing/programs';
import { type Ending, startProcess, type TestProcess } from '@bursar/testing/test-process';
import { bursarEdge } from '../../src/bursar-edge.ts';

const BURSAR_EDGE = programFile('bursar-edge');
const READY_LIMIT_MS = 60_000;

/** A `bursar-edge proxy` of its own process. */
export interface ProxyProcess extends TestProcess {
	readonly port: number;
	readonly opsUrl: string;
}

export function spawnBursarEdge(
	test: TestContext,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
): TestProcess {
	return startProcess(test, [process.execPath, BURSAR_EDGE, ...args], { environment });
}

/** Runs it in this process: a join, or what ends before anything is started. A proxy starts processes, so it needs one. */
export function callBursarEdge(
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
	input?: string,
): Promise<Ending> {
	return runInProcess(bursarEdge, args, { environment, input });
}

/** Starts a proxy on free ports, or on `port`, and waits until it is ready. It may connect to this machine. */
export async function startProxyProcess(
	test: TestContext,
	environment: Readonly<Record<string, string>>,
	{ port = 0, args = [] }: { readonly port?: number; readonly args?: readonly string[] } = {},
): Promise<ProxyProcess> {
	const all = ['proxy', '--port', String(port), '--ops-port', '0', '--allow-private', ...args];
	return startProxyCommand(test, all, environment);
}

/** Runs `bursar-edge` with these arguments, and waits until its proxy is ready. */
export async function startProxyCommand(
	test: TestContext,
	args: readonly string[],
	environment: Readonly<Record<string, string>>,
): Promise<ProxyProcess> {
	const started = spawnBursarEdge(test, args, environment);
	const ready = await eventually(async () => {
		const line = started
			.stdout()
			.split('\n')
			.find((text) => text.includes('"ready"'));
		assert.ok(line, `the proxy is not ready: ${started.stdout()}`);
		return JSON.parse(line) as { url: string; opsUrl: string };
	}, READY_LIMIT_MS);
	return { ...started, port: Number(new URL(ready.url).port), opsUrl: ready.opsUrl };
}

/** What `view_txs` shows of a sub-user, over all days. */
export async function usedBy(url: string, token: string, username: string) {
	const { data } = await resellerApi(url, token).viewTxs({ username });
	const sum = { up: 0, down: 0 };
	for (const { bandwidth } of data) {
		sum.up += bandwidth.up;
		sum.down += bandwidth.down;
	}
	return sum;
}
