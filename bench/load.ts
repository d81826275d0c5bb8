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
	/** More fields of the body. Without them and `bodies` the request is a GET. */
	readonly body?: Readonly<Record<string, unknown>>;
	/** Complete bodies: each POST has one of them at random. All come from the first reseller. */
	readonly bodies?: readonly string[];
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
	const bodiesFile = join(folder, 'bodies');
	// Secrets are in private files, because arguments are visible in the list of processes.
	if (load.bodies) writeFileSync(bodiesFile, load.bodies.join('\n'), { mode: 0o600 });
	writeFileSync(script, wrkScript(load, bodiesFile), { mode: 0o600 });
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

function wrkScript({ resellers, subUsers, body, bodies }: LoadCase, bodiesFile: string): string {
	const lines = [
		// Otherwise all generators would name the same sub-users in the same order.
		`math.randomseed(${randomInt(2 ** 31)})`,
		`function done() io.write(string.format("Processor seconds: %.2f\\n", os.clock())) end`,
	];
	if (bodies) {
		lines.push(
			`wrk.headers["Authorization"] = "Bearer ${resellers[0].token}"`,
			'wrk.headers["Content-Type"] = "application/json"',
			'local requests = {}',
			'function init()',
			`  for body in io.lines("${bodiesFile}") do requests[#requests + 1] = wrk.format("POST", nil, nil, body) end`,
			'end',
			'function request() return requests[math.random(#requests)] end',
		);
	} else if (body) {
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
	const { resellers, subUsers, body, bodies } = load;
	const { token } = resellers[0];
	const result = await autocannon({
		url: url + load.path,
		connections,
		duration: seconds,
		method: body || bodies ? 'POST' : 'GET',
		headers: { authorization: `Bearer ${token}`, ...(bodies && { 'content-type': 'application/json' }) },
		...(bodies && {
			requests: Array.from({ length: 1000 }, () => ({ body: bodies[randomInt(bodies.length)] as string })),
		}),
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
