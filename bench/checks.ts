// Checks of pairs with every limit set, compared with checks of pairs without limits, on both engines.
//
//   npm run bench -- checks
//
// A check of a pair with limits reads what is left of them, as one of a pair that pays for its bandwidth reads its balance.
// One of a pair without both comes from memory.
//
// BENCH_SUB_USERS (2000), BENCH_CONNECTIONS (16), BENCH_ROUNDS (10), BENCH_TURN_MS (1000), BENCH_DAYS (30)
import { allEndpoints, endpoints, type SubUser } from '@bursar/contract';
import { edgeRoutes } from '@bursar/contract/edge';
import { openLoad, requestOf, sendEach } from './load.ts';
import { processorMs } from './processor-time.ts';
import { print, printComparison, printHeader, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { type Reseller, seedDays, seedResellers, seedUsage, subUserName } from './seed.ts';
import { runBursar, startBursar } from './servers.ts';
import { openPostgres, openSqlite } from './stores.ts';
import { compareInTurns } from './turns.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 2_000);
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 16);
const TURNS = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 10),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 1000),
	warmUpRounds: 1,
};
/** Before each turn. During the turns of the others, the remembered pairs without limits became too old. */
const WARM_UP_MS = 500;
const CLIENT = '192.0.2.7';
/** On this many days, the sub-users with limits have used something. The rest of a limit is summed up from them. */
const DAYS = Number(process.env.BENCH_DAYS ?? 30);
const LIMITS = {
	day_bytes: 1e12,
	month_bytes: 1e13,
	total_bytes: 1e14,
	connections: 1000,
	allowed_ips: ['2001:db8::/32', '198.51.100.0/24', '192.0.2.0/24'],
	expires_at: '2099-12-31T00:00:00Z',
};
/** A reseller of each kind. The first two set limits, and the second and third have a price. */
const KINDS = ['limited', 'limited.metered', 'metered', 'free'] as const;
type Kind = (typeof KINDS)[number];

await runBenchmark(async (stops) => {
	print(
		`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms, ${SUB_USERS} pairs of each kind, ${CONNECTIONS} connections.`,
	);
	print('"us" is microseconds of processor time for each check, of PostgreSQL too.\n');
	printHeader();
	for (const engine of [openSqlite(stops), await openPostgres(stops)]) {
		tell(`filling a store on ${engine.name}...`);
		await using running = new AsyncDisposableStack();
		const store = await engine.newStore();
		const resellers = await seedResellers(store, KINDS, SUB_USERS);
		for (const reseller of resellers) {
			if (reseller.username.startsWith('limited')) await seedDays(store, reseller, { subUsers: SUB_USERS, days: DAYS });
			if (reseller.username.endsWith('metered')) await seedUsage(store, reseller, SUB_USERS);
		}
		const { key } = await runBursar(store, ['edge', 'create', '--key', 'bench']);
		const bursar = await startBursar(store);
		running.defer(bursar.stop);
		const contender = async (kind: Kind) => {
			const reseller = resellers.find(({ username }) => username === kind) as Reseller;
			if (kind.startsWith('limited')) await sendEach(bursar.url, limitRequests(reseller), CONNECTIONS);
			const { work, close } = await openLoad(
				bursar.edgeUrl,
				await checkRequests(bursar.url, key, reseller),
				CONNECTIONS,
			);
			running.defer(async () => close());
			const prepare = async () => void (await work(WARM_UP_MS));
			const processor = () => processorMs(bursar.pid) + engine.processorMs();
			return { name: kind, copies: [{ work, prepare, processorMs: processor }] };
		};
		const metered = await contender('metered');
		const others = [await contender('free'), metered];
		for (const one of await compareInTurns(await contender('limited'), others, TURNS))
			printComparison(`limits, ${engine.name}`, one);
		// Opened when it is used: a server closes connections on which no request comes.
		for (const one of await compareInTurns(await contender('limited.metered'), [metered], TURNS)) {
			printComparison(`limits and a price, ${engine.name}`, one);
		}
	}
});

function limitRequests({ username, token }: Reseller): readonly string[] {
	return Array.from({ length: SUB_USERS }, (_, number) =>
		requestOf(allEndpoints.setLimits.path, token, { username: subUserName(username, number), ...LIMITS }),
	);
}

async function checkRequests(url: string, key: string, { token }: Reseller): Promise<readonly string[]> {
	const headers = { authorization: `Bearer ${token}` };
	const response = await fetch(url + endpoints.viewAllSubUsers.path, { headers });
	const { data } = (await response.json()) as { readonly data: readonly SubUser[] };
	return data.map(({ username, proxy_authkey }) =>
		requestOf(edgeRoutes.check.path, key, { username, password: proxy_authkey, client: CLIENT }),
	);
}
