import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeRoutes } from '@bursar/contract/edge';
import { anyCharacter } from '@bursar/testing/any-character';
import { callEdge } from '@bursar/testing/edge';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { startEdgeService } from '../../support/edge-service.ts';

const RUNS = Number(process.env.TEST_RUNS ?? (process.env.BURSAR_TEST_FAULTS === 'long' ? 300 : 150));

const oftenOneOf = <T>(usual: readonly T[], other: fc.Arbitrary<unknown>) =>
	fc.oneof({ weight: 3, arbitrary: fc.constantFrom<unknown>(...usual) }, { weight: 1, arbitrary: other });
const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: anyCharacter, maxLength: 300 }), fc.double());
const username = oftenOneOf(['alice', 'ALICE', 'acme', 'nobody'], anything);
const bytes = oftenOneOf([0, 1, 5, -1, 0.5, 2 ** 53 - 1, 2 ** 53, '5'], anything);

const check = (password: string) =>
	fc.record(
		{
			username,
			password: oftenOneOf([password, `${password}_x`, 'wrong', ''], fc.string({ unit: anyCharacter, maxLength: 300 })),
			key_id: oftenOneOf(['A'.repeat(22)], fc.string({ unit: anyCharacter, maxLength: 30 })),
			client: oftenOneOf(['192.0.2.1', '::1', '[::1]:5', ''], fc.string({ unit: anyCharacter, maxLength: 300 })),
		},
		{ requiredKeys: ['username'] },
	);
const reading = fc.record(
	{
		counter: oftenOneOf(['a', 'b', '\n'], anything),
		username,
		up: bytes,
		down: bytes,
		at: oftenOneOf([new Date().toISOString(), '2000-01-01T00:00:00Z'], anything),
	},
	{ requiredKeys: [] },
);
const listOf = (entry: fc.Arbitrary<unknown>) => fc.array(fc.oneof(entry, anything), { maxLength: 20 });

const routes = (password: string) => [
	[edgeRoutes.check.path, check(password)] as const,
	[edgeRoutes.check.path, fc.record({ checks: fc.array(check(password), { maxLength: 20 }) })] as const,
	[edgeRoutes.check.path, fc.record({ checks: listOf(check(password)) })] as const,
	[edgeRoutes.usage.path, fc.record({ counters: listOf(reading) })] as const,
	[edgeRoutes.join.path, fc.record({ link: oftenOneOf(['A'.repeat(43)], anything) })] as const,
];

/** A good request and a wrong one for each path, because random ones may leave out a kind of answer. */
const samples = (password: string): [readonly [string, unknown], number][] => [
	[[edgeRoutes.check.path, { username: 'alice', password }], 1],
	[[edgeRoutes.usage.path, { counters: [] }], 1],
	...Object.values(edgeRoutes).map(({ path }): [readonly [string, unknown], number] => [[path, 5], 1]),
];

/** A path with a body that is meant for it, and sometimes another one. */
const requests = (password: string) =>
	fc.oneof(...routes(password).map(([path, body]) => ({ weight: 3, arbitrary: fc.tuple(fc.constant(path), body) })), {
		weight: 2,
		arbitrary: fc.tuple(fc.constantFrom(...routes(password).map(([path]) => path)), anything),
	});

test('any body gets an answer in the form of the edge listener, and never a 500', async (t) => {
	const seed = printedSeed(t);
	const { edgeUrl, key, alice, api } = await startEdgeService(t);
	const seen = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(requests(alice), fc.nat(9), async ([path, value], index) => {
			const text = JSON.stringify(value) ?? '';
			const body = index > 0 ? text : text.slice(0, -1);
			const { status, errorCode } = await callEdge(edgeUrl, path, { key, body });
			const isAnswer = status === 200 || errorCode === 'invalid_request';
			const isRefusedLink = path === edgeRoutes.join.path && (errorCode === 'invalid_link' || status === 429);
			assert.ok(isAnswer || isRefusedLink, `${status} ${errorCode}`);
			const kind = `${path} ${status}`;
			seen.set(kind, (seen.get(kind) ?? 0) + 1);
		}),
		{ seed, numRuns: RUNS, examples: samples(alice), interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
	);
	t.diagnostic(JSON.stringify(Object.fromEntries([...seen].sort())));
	for (const { path } of Object.values(edgeRoutes)) {
		assert.ok(seen.has(`${path} 400`), `${path} has refused something`);
		// No link that is made up is good.
		assert.equal(seen.has(`${path} 200`), path !== edgeRoutes.join.path, path);
	}
	for (const { bandwidth } of (await api.viewTxs({ username: 'alice' })).data) {
		assert.ok(Number.isSafeInteger(bandwidth.up) && Number.isSafeInteger(bandwidth.down));
	}
});
