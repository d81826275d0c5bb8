import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { usd } from '@bursar/contract/usd';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { openRoutedNetwork, type RoutedNetwork } from '@bursar/testing/routed-network';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';
import { rowsIn, saidIn, spawnBursarctl } from '../support/bursarctl.ts';

// A router drops real packets again and again. Bulk runs through it are correct to the cent.

const SUB_USERS = 150;
const LINES_EACH = 8;
const OPENING_CENTS = 10_000_000;
const FEE_CENTS = 10;
/** How long the router drops packets and then lets them pass, in milliseconds. */
const WEATHER = [
	[14_000, 2_000],
	[5_000, 1_500],
	[25_000, 2_000],
] as const;
const MOST_RUNS = 8;

describe('bulk files through outages', { concurrency: true, timeout: 600_000 }, () => {
	test('give: every line was given exactly once', async (t) => {
		const { run, file, dataDir } = await openShop(t);
		writeFileSync(
			file,
			names()
				.map((name) => `${name}\n`)
				.join(''),
		);
		assert.equal((await run(['sub-user', 'create', '--all', file])).code, 0);
		const lines = names().flatMap((name, index) =>
			Array.from({ length: LINES_EACH }, (_, turn) => `${name},${usd(cents(index, turn))}\n`),
		);
		const gives = `${file}.gives`;
		writeFileSync(gives, lines.join(''));
		const outages = await runThroughOutages(t, run, ['balance', 'give', '--all', gives]);
		assert.ok(outages >= 1, 'the run met an outage');
		const { stdout } = await run(['sub-user', 'list']);
		const balances = new Map(
			JSON.parse(stdout).map(({ username, balance_usd_cents: balance }: never) => [username, balance]),
		);
		for (const [index, name] of names().entries()) {
			const sum = Array.from({ length: LINES_EACH }, (_, turn) => cents(index, turn)).reduce(
				(total, one) => total + one,
			);
			assert.equal(balances.get(name), sum, name);
		}
		await assertLedgerInOrder(t, dataDir);
	});

	test('create: every sub-user exists, and the reported fees are exact', async (t) => {
		const { run, file, dataDir } = await openShop(t);
		writeFileSync(
			file,
			names(1_200)
				.map((name) => `${name}\n`)
				.join(''),
		);
		const outages = await runThroughOutages(t, run, ['sub-user', 'create', '--all', file]);
		assert.ok(outages >= 1, 'the run met an outage');
		const { stderr } = await run(['sub-user', 'create', '--all', file]);
		const { fee } = saidIn(stderr).summary;
		const account = JSON.parse((await run(['account'])).stdout);
		const spent = OPENING_CENTS - account.balance_usd_cents;
		assert.equal(spent, 1_200 * FEE_CENTS, 'no create was paid for twice');
		assert.deepEqual(fee, { min_cents: spent, max_cents: spent });
		await assertLedgerInOrder(t, dataDir);
	});
});

function names(count = SUB_USERS): string[] {
	return Array.from({ length: count }, (_, index) => `sub.${index}`);
}

/** Lines of one sub-user have various amounts, and some are equal. */
function cents(index: number, turn: number): number {
	return 1 + ((index + turn) % 5);
}

type Run = (args: readonly string[]) => ReturnType<typeof spawnBursarctl>['ended'];

/** Runs the bulk form through outages until nothing is left to do. Returns how many outages there were. */
async function runThroughOutages(t: TestContext, run: Run & { network: RoutedNetwork }, args: readonly string[]) {
	let isOver = false;
	let outages = 0;
	const weather = (async () => {
		for (let turn = 0; !isOver; turn++) {
			const [dryMs, wetMs] = WEATHER[turn % WEATHER.length] as (typeof WEATHER)[number];
			await setTimeout(700);
			await run.network.setForwarding(false);
			outages++;
			await setTimeout(dryMs);
			await run.network.setForwarding(true);
			await setTimeout(wetMs);
		}
	})();
	try {
		for (let turn = 1; ; turn++) {
			const { code, stderr, stdout } = await run(args);
			t.diagnostic(`run ${turn}: exit ${code}, ${rowsIn(stdout).length} rows`);
			if (code === 0) return outages;
			assert.ok(turn < MOST_RUNS, stderr);
		}
	} finally {
		isOver = true;
		await weather;
	}
}

async function openShop(t: TestContext) {
	const network = await openRoutedNetwork(t);
	const dataDir = temporaryFolder(t);
	const { token } = await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', OPENING_CENTS);
	const environment = { BURSAR_HOST: '0.0.0.0', BURSAR_PORT: '8080' };
	await startServer(t, dataDir, { under: network.onServer, environment });
	const client = { BURSAR_URL: `http://${network.serverAddresses[0]}:8080`, BURSAR_TOKEN: token };
	const run = (args: readonly string[]) =>
		spawnBursarctl(t, [...args, '--yes', '--json', '--insecure-http'], client, network.onClient).ended;
	return { run: Object.assign(run, { network }), file: join(temporaryFolder(t), 'names'), dataDir };
}
