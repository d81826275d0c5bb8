import assert from 'node:assert/strict';
import { programFile } from './programs.ts';
import { type Ending, type ProcessOptions, type ProcessOwner, startProcess, type TestProcess } from './test-process.ts';

const BURSAR = programFile('bursar');
const READY_LIMIT_MS = 180_000;

export interface BursarOptions extends ProcessOptions {
	/** The JavaScript file of another version's `bursar`. Default: that of this checkout. */
	readonly program?: string;
}

/** A `bursar serve` that is ready. */
export interface ServerProcess extends TestProcess {
	readonly url: string;
	readonly opsUrl: string;
	/** Absent if the edge listener is off. */
	readonly edgeUrl?: string;
	/** The time from its start until it was ready. */
	readonly readyAfterMs: number;
	/** Sends a signal, and waits until the process has ended. */
	kill(signal: NodeJS.Signals): Promise<Ending>;
}

/** Starts a `bursar` command; `serve` uses free ports. */
export function spawnBursar(
	owner: ProcessOwner,
	dataDir: string,
	args: readonly string[],
	options: BursarOptions = {},
): TestProcess {
	const own = { BURSAR_DATA_DIR: dataDir, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };
	const environment = { ...own, ...options.environment };
	return startProcess(owner, [process.execPath, options.program ?? BURSAR, ...args], { ...options, environment });
}

/** Runs a `bursar` command to its end. */
export function runBursar(
	owner: ProcessOwner,
	dataDir: string,
	args: readonly string[],
	options?: BursarOptions,
): Promise<Ending> {
	return spawnBursar(owner, dataDir, args, options).ended;
}

/**
 * Starts `bursar serve` on free ports and waits until it is ready. The dashboard takes half the time of a start, so it is
 * on only if the environment says so.
 */
export async function startServer(
	owner: ProcessOwner,
	dataDir: string,
	options: BursarOptions = {},
): Promise<ServerProcess> {
	const startedAtMs = performance.now();
	const environment = { BURSAR_DASHBOARD: '0', ...options.environment };
	const server = spawnBursar(owner, dataDir, ['serve'], { ...options, environment });
	const addresses = await readyLine(server);
	return {
		...server,
		...addresses,
		readyAfterMs: performance.now() - startedAtMs,
		kill(signal) {
			server.signal(signal);
			return server.ended;
		},
	};
}

/** Throws unless `bursar ledger verify` finds the ledger in order. */
export async function assertLedgerInOrder(
	owner: ProcessOwner,
	dataDir: string,
	options?: Pick<BursarOptions, 'environment'>,
): Promise<void> {
	const { code, stdout, stderr } = await runBursar(owner, dataDir, ['ledger', 'verify', '--json'], options);
	assert.equal(code, 0, `ledger verify: ${stdout}${stderr}`);
	assert.equal((JSON.parse(stdout) as { ok: boolean }).ok, true);
}

async function readyLine(server: TestProcess): Promise<Pick<ServerProcess, 'url' | 'opsUrl' | 'edgeUrl'>> {
	const giveUpAt = performance.now() + READY_LIMIT_MS;
	let ending: Ending | undefined;
	void server.ended.then((value) => {
		ending = value;
	});
	for (;;) {
		// The text after the last line end is not a complete line yet.
		for (const line of server.stdout().split('\n').slice(0, -1)) {
			const { url, opsUrl, edgeUrl, msg } = JSON.parse(line);
			if (msg === 'ready') return { url, opsUrl, ...(edgeUrl && { edgeUrl }) };
		}
		if (ending) assert.fail(`the server ended before it was ready: ${JSON.stringify(ending)}`);
		if (performance.now() > giveUpAt) assert.fail('the server did not get ready');
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
