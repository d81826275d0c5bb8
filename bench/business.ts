// Measures pages of the dashboard at a large reseller, on both engines: how long a page takes, how long it blocks the
// event loop, and how many `give_balance` the service answers beside it.
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { readConfig } from '../packages/server/src/config.ts';
import { newId, newLink } from '../packages/server/src/credentials.ts';
import { openStore } from '../packages/server/src/engine.ts';
import { businessHistory } from './business-history.ts';
import { type FilledStore, startPostgres, startSqlite } from './filled-stores.ts';
import { loadGenerator } from './load.ts';
import { median, print } from './report.ts';
import { giveDifferentBalances, type SeededReseller, seedResellers, subUserName } from './seed.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const MOVEMENTS = Number(process.env.BENCH_MOVEMENTS ?? 10_000_000);
const USAGE_DAYS = Number(process.env.BENCH_USAGE_DAYS ?? 30);
const PAGES = Number(process.env.BENCH_PAGES ?? 300);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = 64;
/** How often a person opens a page while the API is under load. */
const PAGE_EVERY_MS = 250;
const RESELLERS = ['large', 'other'];
const EMAIL = 'ann@large.example';

const generator = loadGenerator();
print(
	`Pages of a reseller with ${SUB_USERS} sub-users; ${MOVEMENTS} movements in the store, half of them its own. Each`,
);
print(
	`page was asked for ${PAGES} times. give_balance: ${CONNECTIONS} connections by ${generator.name}, ${ROUNDS} pairs of`,
);
print(`slices of ${SECONDS} s, with a page every ${PAGE_EVERY_MS} ms to without.\n`);
print('| engine | page | p50, ms | p99, ms | longest block, ms | aim | give_balance beside it | aim |');
print('|---|---|---:|---:|---:|---:|---:|---:|');
for (const start of [startSqlite, startPostgres]) {
	const engine = await start();
	try {
		await measure(engine.name, await engine.createStore());
	} finally {
		await engine.end();
	}
}

async function measure(name: string, { environment, fill }: FilledStore): Promise<void> {
	process.stderr.write(`filling ${name}...\n`);
	const resellers = await seedResellers(environment, RESELLERS, SUB_USERS);
	await giveDifferentBalances(environment, resellers, SUB_USERS);
	const history = { movements: MOVEMENTS, usageDays: USAGE_DAYS, nowMs: Date.now() };
	await fill(businessHistory({ resellers: RESELLERS, subUsersEach: SUB_USERS, ...history }));
	const link = await invite(environment);
	const ports = { BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };
	const target = await startTarget(name, ['bursar.ts'], { ...environment, ...ports }, { probed: true });
	try {
		const cookie = await signIn(target.url, link);
		const [large] = resellers as readonly [SeededReseller, ...SeededReseller[]];
		const pages = {
			'sub-users by name': '/sub-users',
			'sub-users by balance': '/sub-users?order=-balance',
			statement: '/statement',
			'statement of a sub-user': `/statement?username=${subUserName(large.username, 12)}`,
		};
		for (const [page, path] of Object.entries(pages)) {
			const ask = () => askFor(target.url + DASHBOARD_API + path, cookie);
			print(
				`| ${[name, page, ...(await times(target, ask)), '20', await givesBeside(target, large, ask), '0.9'].join(' | ')} |`,
			);
		}
	} finally {
		await target.stop();
	}
}

/** Invites a person of the large reseller. */
async function invite(environment: FilledStore['environment']): Promise<string> {
	const store = await openStore(readConfig(environment));
	try {
		const { secret, linkHash } = newLink();
		const command = {
			kind: 'invite_person',
			id: newId(),
			email: EMAIL,
			reseller: RESELLERS[0] as string,
			linkHash,
		} as const;
		const answer = await store.runPersonCommands([{ ...command, purpose: 'set_password' }], store.nowMs());
		if (answer.kind !== 'committed' || !answer.results[0]?.ok) throw new Error('the person could not be invited');
		return secret;
	} finally {
		await store.close();
	}
}

async function signIn(url: string, link: string): Promise<string> {
	const response = await fetch(`${url}${DASHBOARD_API}/invitation/accept`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', origin: `http://localhost:${new URL(url).port}` },
		body: JSON.stringify({ link, password: randomBytes(16).toString('hex') }),
	});
	const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
	if (!response.ok || cookie === undefined) throw new Error(`nobody could sign in: ${response.status}`);
	return cookie;
}

async function askFor(url: string, cookie: string): Promise<void> {
	const response = await fetch(url, { headers: { cookie } });
	await response.arrayBuffer();
	if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
}

/** p50 and p99 of the page, and the longest block of the event loop meanwhile. */
async function times(target: TargetProcess, ask: () => Promise<void>): Promise<readonly string[]> {
	for (let warmUp = 0; warmUp < 20; warmUp++) await ask();
	await target.longestBlockMs();
	const milliseconds: number[] = [];
	for (let page = 0; page < PAGES; page++) {
		const startMs = performance.now();
		await ask();
		milliseconds.push(performance.now() - startMs);
	}
	const sorted = milliseconds.sort((a, b) => a - b);
	const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] as number).toFixed(2);
	return [at(0.5), at(0.99), (await target.longestBlockMs()).toFixed(1)];
}

/** The rate of gives beside pages, as a ratio to the rate without. */
async function givesBeside(target: TargetProcess, reseller: SeededReseller, ask: () => Promise<void>): Promise<string> {
	const load = {
		path: endpoints.giveBalance.path,
		resellers: [reseller],
		subUsers: SUB_USERS,
		body: { amount_usd_cents: 1 },
	} as const;
	const gives = async () => {
		const { requestsPerSecond, failures } = await generator.run(target.url, load, CONNECTIONS, SECONDS);
		if (failures > 0) throw new Error(`${target.name} answered ${failures} requests with a failure`);
		return requestsPerSecond;
	};
	const beside = async () => {
		const over = new AbortController();
		const opening = openPages(ask, over.signal);
		const rate = await gives();
		over.abort();
		await opening;
		return rate;
	};
	const ratios: number[] = [];
	await gives();
	for (let round = 0; round < ROUNDS; round++) {
		// Neither is always the first.
		if (round % 2 === 0) {
			const without = await gives();
			ratios.push((await beside()) / without);
		} else {
			const withPages = await beside();
			ratios.push(withPages / (await gives()));
		}
	}
	return median(ratios).toFixed(2);
}

async function openPages(ask: () => Promise<void>, over: AbortSignal): Promise<void> {
	while (!over.aborted) {
		await ask();
		await setTimeout(PAGE_EVERY_MS);
	}
}
