import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { addResellerMetrics } from '../../../src/http/ops/reseller-metrics.ts';

const MINUTE_MS = 60_000;

test('the twenty resellers with the most changes in about ten minutes are shown, and older changes are forgotten', async () => {
	let nowMs = 1_000;
	const registry = new Registry();
	const changed = addResellerMetrics(registry, () => nowMs);
	const shown = async () => {
		const values = (await registry.getMetricsAsJSON())[0]?.values ?? [];
		return values.map(({ labels, value }) => [labels.reseller, value]);
	};
	const change = (reseller: string, times: number) => {
		for (let count = 0; count < times; count++) changed(reseller);
	};
	assert.deepEqual(await shown(), []);
	for (let index = 1; index <= 30; index++) change(`reseller${index}`, index);
	assert.deepEqual(
		await shown(),
		Array.from({ length: 20 }, (_, index) => [`reseller${30 - index}`, 30 - index]),
	);
	nowMs += 15 * MINUTE_MS;
	change('acme', 40);
	assert.deepEqual((await shown()).slice(0, 2), [
		['acme', 40],
		['reseller30', 15],
	]);
	nowMs += 5 * MINUTE_MS;
	assert.deepEqual(await shown(), [['acme', 40]]);
	nowMs += 60 * MINUTE_MS;
	assert.deepEqual(await shown(), []);
});
