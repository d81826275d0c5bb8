import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import type { Command } from '../../../src/commands/registry.ts';
import { costOf, UNITS_OF_CENT } from '../../../src/domain/metering.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	forgiveDebt,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import {
	assertSoundLedger,
	balanceOf,
	type Engine,
	type OpenedEngine,
	record,
	restart,
	run,
	runAll,
} from './engine.ts';
import { createMeteringModel } from './metering-model.ts';

const GB = 1_000_000_000;
const HOUR_MS = 3_600_000;
const RUNS = process.env.BURSAR_TEST_FAULTS === 'long' ? 400 : 40;

const NAMES = ['alice', 'bruno', 'acme'];
const name = fc.constantFrom(...NAMES);
const cents = fc.constantFrom(1, 5, 10, 99, 100, 500);
const bytes = fc.oneof(
	fc.constantFrom(0, 1, 999, 2_857_142, 2_857_143, GB - 1, GB, 3 * GB),
	fc.integer({ min: 0, max: 2 * GB }),
);

/** Something that happens to a metered reseller. */
type Step =
	| { readonly kind: 'create' | 'give' | 'take'; readonly name: string; readonly cents: number }
	| { readonly kind: 'delete'; readonly name: string }
	| { readonly kind: 'credit' | 'forgive'; readonly cents: number }
	| { readonly kind: 'price'; readonly microUsdPerGb: number | null }
	| { readonly kind: 'post'; readonly names: readonly string[] }
	| { readonly kind: 'use'; readonly used: readonly { name: string; bytes: number; lateMs: number }[] }
	| { readonly kind: 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('create'), name, cents }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('give', 'take'), name, cents }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('credit'), cents: fc.constantFrom(-500, -1, 1, 700) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('forgive'), cents }) },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('price'),
			microUsdPerGb: fc.constantFrom(null, 1, 7, 3_500_000, 3_333_333, 1_000_000_000),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('post'), names: fc.uniqueArray(name) }) },
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('use'),
			used: fc.array(fc.record({ name, bytes, lateMs: fc.constantFrom(0, 1, HOUR_MS, 30 * HOUR_MS) }), {
				maxLength: 5,
			}),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), name }) },
	{ weight: 1, arbitrary: fc.constant({ kind: 'restart' }) },
);

/** Tests that bandwidth is paid for exactly, whatever happens, in whatever order: against a model. */
export function meteringStepsSuite(engine: Engine): void {
	test('random prices, late reports, takes, top-ups, deletes and restarts: every cent is paid, owed or still due', async (t) => {
		const seed = printedSeed(t);
		const opened = await engine.open(t);
		let runs = 0;
		const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			await follow(opened, steps, `run${runs++}.`);
		});
		await fc.assert(property, { seed, numRuns: RUNS });
		await assertSoundLedger(opened.store);
	});
}

/** Does the steps in a store and in the model. All names begin with the prefix. */
async function follow(opened: OpenedEngine, steps: readonly Step[], prefix: string): Promise<void> {
	let { store } = opened;
	const acme = `${prefix}acme`;
	const model = createMeteringModel(acme, 700);
	await runAll(store, [createReseller(acme, 700)]);
	let nowMs = NOON_MS;
	let count = 0;
	for (const each of steps) {
		nowMs += 1000;
		const before = new Map(model.names().map((username) => [username, model.live(username)]));
		const answers = async (command: Command, expected: boolean) => {
			const [outcome] = await run(store, [command], nowMs);
			assert.equal(outcome?.ok, expected, JSON.stringify([each, outcome]));
		};
		const named = 'name' in each ? prefix + each.name : acme;
		switch (each.kind) {
			case 'create': {
				const isFree = !model.names().includes(named);
				await answers(createSubUser(acme, named), model.create(named) && isFree);
				break;
			}
			case 'give':
				await answers(giveBalance(acme, named, each.cents), named !== acme && model.give(named, each.cents));
				break;
			case 'take':
				await answers(takeBalance(acme, named, each.cents), named !== acme && model.take(named, each.cents));
				break;
			case 'delete':
				await answers(deleteSubUser(acme, named), named !== acme && model.delete(named));
				break;
			case 'credit':
				await answers(creditReseller(acme, each.cents, `${prefix}${count++}`), model.credit(each.cents));
				break;
			case 'forgive':
				await answers(forgiveDebt(acme, each.cents), model.forgive(each.cents));
				break;
			case 'price':
				model.setPrice(each.microUsdPerGb, nowMs);
				await answers(setPrice(acme, each.microUsdPerGb), true);
				break;
			case 'post':
				model.post(each.names.map((username) => prefix + username));
				await answers(postUsage(acme, ...each.names.map((username) => prefix + username)), true);
				break;
			case 'use': {
				const reports = each.used.map(({ name: username, bytes: used, lateMs }) => {
					const bytesUp = Math.floor(used / 3);
					const report = { username: prefix + username, atMs: nowMs - lateMs, bytesUp, bytesDown: used - bytesUp };
					return { source: 's', id: `${prefix}${count++}`, ...report };
				});
				for (const { username, atMs, bytesUp, bytesDown } of reports) model.use(username, bytesUp + bytesDown, atMs);
				await record(store, reports, nowMs);
				break;
			}
			case 'restart':
				store = await restart(await opened.openAnother(), opened.openAnother);
				break;
		}
		for (const username of model.names()) {
			const expected = model.isDeleted(username) ? undefined : model.live(username);
			assert.equal(await balanceOf(store, acme, username), expected, `${username}: ${JSON.stringify(each)}`);
			const isCredit = ['give', 'take', 'delete', 'credit'].includes(each.kind);
			assert.ok(isCredit || model.live(username) <= (before.get(username) ?? 0), 'a balance grew without a credit');
		}
		assert.equal((await store.findDebt(acme))?.cents, model.debt(), JSON.stringify(each));
		const overdrawn = (await store.findOverdrawn(model.names())).map(({ username }) => username);
		assert.deepEqual(overdrawn, model.overdrawn().sort());
	}
	await compareMeters(opened, model);
}

/** Compares what each account used and what was charged: bytes x price = charged + what is left. */
async function compareMeters({ rows }: OpenedEngine, model: ReturnType<typeof createMeteringModel>): Promise<void> {
	for (const username of model.names()) {
		const own = (await rows(`SELECT bytes, micro_usd_per_gb AS price, charged_cents AS charged,
			cost_cents AS cents, cost_rest AS rest
			FROM meters WHERE username = '${username}'`)) as Record<string, number>[];
		const sum = (column: string) => own.reduce((all, row) => all + BigInt(row[column] ?? 0), 0n);
		const { cost, charged } = model.totals(username);
		assert.equal(sum('charged'), charged, username);
		assert.equal(sum('cents') * BigInt(UNITS_OF_CENT) + sum('rest'), cost, username);
		for (const { bytes: used, price, cents: whole, rest } of own) {
			assert.deepEqual(costOf(Number(used), Number(price)), { cents: Number(whole), rest: Number(rest) });
		}
	}
}
