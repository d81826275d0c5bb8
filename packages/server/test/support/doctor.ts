import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { type BursarOptions, runBursar, type ServerProcess } from '@bursar/testing/bursar-process';
import { type Forward, relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { CheckResult } from '../../src/cli/doctor/checks.ts';
import { examineInstallation } from '../../src/cli/doctor/examination.ts';

/** No service listens there. */
export const CLOSED_OPS = { BURSAR_OPS_PORT: '1' };
/** The command must end within 15 seconds. The machine of the tests may be slow. */
export const LIMIT_MS = 20_000;

const CERTIFICATES = join(import.meta.dirname, '../../../client/test/support');

/** A file with a key or a certificate of `localhost`. */
export const pem = (name: 'key' | 'self-signed' | 'expired') => join(CERTIFICATES, `${name}.pem`);

/** What the checks found, as `check state: text`. */
export interface Findings {
	readonly lines: readonly string[];
	/** Those of them that are problems. */
	readonly problems: readonly string[];
}

/** What `bursar doctor --json` printed. */
export interface Examined extends Findings {
	readonly code: number | null;
	/** Everything that it printed. */
	readonly output: string;
	readonly durationMs: number;
}

/** Runs the checks of `bursar doctor` in this process. */
export async function findings(dataDir: string, environment: Readonly<Record<string, string>>): Promise<Findings> {
	const results: CheckResult[] = [];
	await examineInstallation({ BURSAR_DATA_DIR: dataDir, ...environment }, (result) => results.push(result));
	return inLines(results.flatMap(({ check, findings }) => findings.map((finding) => ({ check, ...finding }))));
}

/** Runs `bursar doctor` on the store in a folder. */
export async function examine(
	t: TestContext,
	dataDir: string,
	environment: Readonly<Record<string, string>> = {},
	options: Pick<BursarOptions, 'uid'> = {},
): Promise<Examined> {
	const beganAtMs = performance.now();
	const { code, stdout, stderr } = await runBursar(t, dataDir, ['doctor', '--json'], { ...options, environment });
	const durationMs = performance.now() - beganAtMs;
	return { ...inLines(JSON.parse(stdout).findings), code, output: stdout + stderr, durationMs };
}

function inLines(findings: readonly { check: string; state: string; text: string }[]): Findings {
	const lines = findings.map(({ check, state, text }) => `${check} ${state}: ${text}`);
	return { lines, problems: lines.filter((line) => /^\w+ problem:/.test(line)) };
}

export function assertFound(lines: readonly string[], ...patterns: readonly RegExp[]): void {
	for (const pattern of patterns) {
		assert.ok(
			lines.some((line) => pattern.test(line)),
			`${pattern} is not in:\n${lines.join('\n')}`,
		);
	}
}

/** A store with a reseller, in a folder for it alone. */
export async function newStore(t: TestContext): Promise<string> {
	const folder = temporaryFolder(t);
	const { code, stderr } = await callBursar(folder, ['reseller', 'create', 'acme', '--balance', '5.00']);
	assert.equal(code, 0, stderr);
	return folder;
}

export function portOf(url: string): string {
	return new URL(url).port;
}

/** What a proxy in front does with `X-Forwarded-For`. */
const PROXIES = {
	appends: (given: string) => `${given}, 203.0.113.9`,
	'passes on': (given: string) => given,
	removes: () => undefined,
} as const;

export type ProxyKind = keyof typeof PROXIES;

/** A proxy that ends TLS before a service. Returns the settings with which its address is examined. */
export async function startProxy(t: TestContext, server: ServerProcess, kind: ProxyKind) {
	const options = { key: readFileSync(pem('key')), cert: readFileSync(pem('self-signed')) };
	const program = relayHttp(server.url, ({ headers, ...request }, forward: Forward) => {
		const { 'x-forwarded-for': given = '', ...others } = headers;
		const forwardedFor = PROXIES[kind](given);
		return forward({
			...request,
			headers: { ...others, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) },
		});
	});
	const { port } = await listen(t, createServer(options, program));
	return { BURSAR_PUBLIC_URL: `https://localhost:${port}`, BURSAR_OPS_PORT: portOf(server.opsUrl) };
}
