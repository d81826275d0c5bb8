import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { subUserName } from './seed.ts';

/** One kind of request; a POST names a random one of the sub-users. */
export interface LoadCase {
	readonly path: string;
	readonly token: string;
	readonly reseller: string;
	readonly subUsers: number;
	/** Further fields of the body; a GET where it is absent. */
	readonly body?: Readonly<Record<string, unknown>>;
}

export interface LoadResult {
	readonly requestsPerSecond: number;
	/** Answers that were not 200. */
	readonly failures: number;
}

export type LoadGenerator = (url: string, load: LoadCase, connections: number, seconds: number) => Promise<LoadResult>;

/** `wrk` where it is installed: it leaves the machine to the server. Otherwise autocannon. */
export function loadGenerator(): { readonly name: string; readonly run: LoadGenerator } {
	try {
		execFileSync('wrk', ['-v'], { stdio: 'ignore' });
	} catch (cause) {
		// It exits with 1 even where it only prints its version.
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { name: 'autocannon', run: runAutocannon };
	}
	return { name: 'wrk', run: runWrk };
}

async function runWrk(url: string, load: LoadCase, connections: number, seconds: number): Promise<LoadResult> {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-wrk-'));
	const script = join(folder, 'load.lua');
	// In a file that only we can read, because arguments show in the process list.
	writeFileSync(script, wrkScript(load), { mode: 0o600 });
	try {
		const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url + load.path];
		const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
		const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
		const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1];
		if (rate === undefined) throw new Error(`wrk printed no rate:\n${output}`);
		return {
			requestsPerSecond: Number(rate),
			failures: Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0),
		};
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function wrkScript({ token, reseller, subUsers, body }: LoadCase): string {
	const lines = [`wrk.headers["Authorization"] = "Bearer ${token}"`];
	if (body) {
		const rest = JSON.stringify(body).slice(1, -1);
		const format = `{"username":"${subUserName(reseller, 0).replace(/0+$/, '')}%07d"${rest && `,${rest}`}}`;
		lines.push(
			'wrk.method = "POST"',
			'wrk.headers["Content-Type"] = "application/json"',
			`function request() return wrk.format(nil, nil, nil, string.format('${format}', math.random(0, ${subUsers - 1}))) end`,
		);
	}
	return `${lines.join('\n')}\n`;
}

async function runAutocannon(url: string, load: LoadCase, connections: number, seconds: number): Promise<LoadResult> {
	const { default: autocannon } = await import('autocannon');
	const result = await autocannon({
		url: url + load.path,
		connections,
		duration: seconds,
		method: load.body ? 'POST' : 'GET',
		headers: { authorization: `Bearer ${load.token}`, ...(load.body && { 'content-type': 'application/json' }) },
		...(load.body && {
			requests: Array.from({ length: 1000 }, () => ({
				body: JSON.stringify({
					username: subUserName(load.reseller, Math.floor(Math.random() * load.subUsers)),
					...load.body,
				}),
			})),
		}),
	});
	return { requestsPerSecond: result.requests.average, failures: result.non2xx };
}
