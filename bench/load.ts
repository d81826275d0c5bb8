import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type SeededReseller, SUB_USER_DIGITS, subUserName } from './seed.ts';

/** One kind of request. A POST comes from a random reseller and names one of its sub-users at random. */
export interface LoadCase {
	readonly path: string;
	readonly resellers: readonly [SeededReseller, ...SeededReseller[]];
	/** The number of sub-users of each reseller. */
	readonly subUsers: number;
	/** More fields of the body. Without them the request is a GET. */
	readonly body?: Readonly<Record<string, unknown>>;
}

export interface LoadResult {
	readonly requestsPerSecond: number;
	/** Answers that were not 200. */
	readonly failures: number;
	/** How many cores the load generator used, if it is a separate process. */
	readonly generatorCores?: number;
}

export type LoadGenerator = (url: string, load: LoadCase, connections: number, seconds: number) => Promise<LoadResult>;

/** `wrk` if it is installed, because it uses little of the machine. Otherwise autocannon. */
export function loadGenerator(): { readonly name: string; readonly run: LoadGenerator } {
	try {
		execFileSync('wrk', ['-v'], { stdio: 'ignore' });
	} catch (cause) {
		// It exits with 1 even if it only prints its version.
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { name: 'autocannon', run: runAutocannon };
	}
	return { name: 'wrk', run: runWrk };
}

async function runWrk(url: string, load: LoadCase, connections: number, seconds: number): Promise<LoadResult> {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-wrk-'));
	const script = join(folder, 'load.lua');
	// The token is in a private file, because arguments are visible in the list of processes.
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
			generatorCores: Number(/Processor seconds: ([\d.]+)/.exec(output)?.[1]) / seconds,
		};
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function wrkScript({ resellers, subUsers, body }: LoadCase): string {
	const lines = [
		// Otherwise all generators would name the same sub-users in the same order.
		`math.randomseed(${randomInt(2 ** 31)})`,
		`function done() io.write(string.format("Processor seconds: %.2f\\n", os.clock())) end`,
	];
	if (body) {
		const rest = JSON.stringify(body).slice(1, -1);
		const format = `{"username":"%s.%0${SUB_USER_DIGITS}d"${rest && `,${rest}`}}`;
		lines.push(
			'wrk.method = "POST"',
			'local resellers = {',
			...resellers.map(
				({ username, token }) =>
					`{ name = "${username}", headers = { ["Authorization"] = "Bearer ${token}", ["Content-Type"] = "application/json" } },`,
			),
			'}',
			'function request()',
			`  local reseller = resellers[math.random(${resellers.length})]`,
			`  local body = string.format('${format}', reseller.name, math.random(0, ${subUsers - 1}))`,
			'  return wrk.format(nil, nil, reseller.headers, body)',
			'end',
		);
	} else {
		lines.push(`wrk.headers["Authorization"] = "Bearer ${resellers[0].token}"`);
	}
	return `${lines.join('\n')}\n`;
}

async function runAutocannon(url: string, load: LoadCase, connections: number, seconds: number): Promise<LoadResult> {
	const { default: autocannon } = await import('autocannon');
	const { resellers, subUsers, body } = load;
	const result = await autocannon({
		url: url + load.path,
		connections,
		duration: seconds,
		method: body ? 'POST' : 'GET',
		headers: { authorization: `Bearer ${resellers[0].token}` },
		...(body && {
			requests: Array.from({ length: 1000 }, () => {
				const { username, token } = resellers[randomInt(resellers.length)] as SeededReseller;
				return {
					headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
					body: JSON.stringify({ username: subUserName(username, randomInt(subUsers)), ...body }),
				};
			}),
		}),
	});
	return { requestsPerSecond: result.requests.average, failures: result.non2xx };
}
