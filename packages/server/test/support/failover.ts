import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { type EffectCounts, sumOf } from './effects.ts';
import { type PairOptions, startPair } from './postgres-pair.ts';
import { serveDatabase } from './served-database.ts';

/** Every answer comes within five seconds. The rest allows for a slow machine. */
const ANSWER_LIMIT_MS = 7_000;
const RESUME_LIMIT_MS = 10_000;

type End = 'kill' | 'freeze';

/** First the kills, then the freezes. */
export function failovers({ kills, freezes }: { readonly kills: number; readonly freezes: number }): readonly End[] {
	return [...Array<End>(kills).fill('kill'), ...Array<End>(freezes).fill('freeze')];
}

/**
 * Under load, ends the primary in each of these ways, and promotes its synchronous standby. Throws unless every
 * acknowledged operation is stored once, every answer comes in time, and every process serves again.
 */
export async function failOver(
	t: TestContext,
	{ ends, ...options }: PairOptions & { readonly ends: readonly End[] },
): Promise<void> {
	const pair = await startPair(t, options);
	const name = new URL(await pair.primary.createDatabase()).pathname.slice(1);
	const served = await serveDatabase(t, () => pair.primary.url(name), { serversUrl: pair.url(name) });
	const { workload, urls, random, effects } = served;
	const counts: EffectCounts[] = [];
	const resumedMs: number[] = [];
	let slowestMs = 0;

	for (const [failover, end] of ends.entries()) {
		if (failover > 0) await pair.attachStandby();
		const load = workload.start(...urls);
		await setTimeout(300 + random.below(500));
		await pair.failOver(end, random.below(4) === 0 ? 2_500 : random.below(200));
		const promotedAtMs = performance.now();
		for (const url of urls) {
			await eventually(async () => {
				const { reply } = await workload.send(url, 'reset');
				assert.ok(reply.kind === 'answered' && reply.status === 200, JSON.stringify(reply));
			}, RESUME_LIMIT_MS);
		}
		resumedMs.push(performance.now() - promotedAtMs);
		const operations = await load.stop();
		slowestMs = Math.max(slowestMs, ...operations.map(({ tookMs }) => tookMs));
		counts.push(await effects.check(operations));
		await served.assertLedgerInOrder();
	}
	t.diagnostic(`${ends.length} failovers: ${JSON.stringify(sumOf(counts))}`);
	t.diagnostic(`every process served again within ${Math.round(Math.max(...resumedMs))} ms of the promotion`);
	t.diagnostic(`the slowest answer took ${Math.round(slowestMs)} ms`);
	assert.ok(slowestMs < ANSWER_LIMIT_MS);
	assert.ok(sumOf(counts).acknowledged > 10 * ends.length);
}
