import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { mayHaveOpen, type OpenInProcess } from '../../src/domain/open-connections.ts';

/** `EDGE PROCESS`. Some edges name no process, and those have one. */
const names = fc
	.uniqueArray(fc.stringMatching(/^[a-c]{1,2} [a-c]?$/), { minLength: 1, maxLength: 6 })
	.map((all) =>
		all.filter((name) => !name.endsWith(' ') || !all.some((other) => other !== name && other.startsWith(name))),
	);
const edges = names.chain((all) =>
	fc.array(fc.nat(12), { minLength: all.length, maxLength: all.length }).map((open) => {
		return new Map(all.map((name, index) => [name, open[index] as number]));
	}),
);
const limits = fc.integer({ min: 1, max: 30 });

function partsOf(name: string) {
	const [edge = '', process = ''] = name.split(' ');
	return { edge, process };
}

function most(limit: number, name: string, openByName: ReadonlyMap<string, number>): number {
	const open = Array.from(openByName, ([each, count]): OpenInProcess => ({ ...partsOf(each), open: count }));
	return mayHaveOpen(limit, partsOf(name), open);
}

function total(openByEdge: ReadonlyMap<string, number>): number {
	return openByEdge.values().reduce((sum, open) => sum + open, 0);
}

/** What is open when each edge has cut what it may not have. */
function afterCuts(limit: number, openByEdge: ReadonlyMap<string, number>): Map<string, number> {
	return new Map(Array.from(openByEdge, ([edge, open]) => [edge, Math.min(open, most(limit, edge, openByEdge))]));
}

test('edges that have too many leave exactly the limit, all together and at once; if all keep it, none is cut', (t) => {
	const cut = fc.property(edges, limits, (openByEdge, limit) => {
		const left = afterCuts(limit, openByEdge);
		assert.equal(total(left), Math.min(limit, total(openByEdge)));
		if (total(openByEdge) <= limit) assert.deepEqual(left, openByEdge);
	});
	fc.assert(cut, { seed: printedSeed(t) });
});

test('one edge that takes all it may have does not pass the limit', (t) => {
	const taken = fc.property(edges, limits, (openByEdge, limit) => {
		const kept = afterCuts(limit, openByEdge);
		for (const edge of [...kept.keys(), 'another process']) {
			const all = most(limit, edge, kept);
			assert.ok(total(new Map(kept).set(edge, all)) <= limit);
		}
	});
	fc.assert(taken, { seed: printedSeed(t) });
});

/** What happens to edges: some open as many as they were told they may, some close, and then some are told anew. */
const happenings = fc.array(
	fc.record({
		opens: fc.array(fc.nat(20), { maxLength: 6 }),
		closes: fc.array(fc.nat(20), { maxLength: 6 }),
		reports: fc.array(fc.boolean(), { maxLength: 6 }),
		asks: fc.array(fc.boolean(), { maxLength: 6 }),
	}),
	{ maxLength: 8 },
);

test('whatever edges did on old answers, the limit holds once each has reported, asked and cut', (t) => {
	const converges = fc.property(names, limits, happenings, (all, limit, steps) => {
		const open = new Map(all.map((name) => [name, 0]));
		const reported = new Map(open);
		const told = new Map(all.map((name) => [name, limit]));
		const cut = (edge: string) => open.set(edge, Math.min(open.get(edge) ?? 0, told.get(edge) ?? 0));
		const ask = (edge: string) => {
			told.set(edge, most(limit, edge, reported));
			cut(edge);
		};
		for (const { opens, closes, reports, asks } of steps) {
			for (const [index, edge] of all.entries()) {
				const now = Math.max(0, (open.get(edge) ?? 0) - (closes[index] ?? 0)) + (opens[index] ?? 0);
				open.set(edge, now);
				cut(edge);
				if (reports[index]) reported.set(edge, open.get(edge) ?? 0);
				if (asks[index]) ask(edge);
			}
		}
		for (const edge of all) reported.set(edge, open.get(edge) ?? 0);
		const before = total(open);
		for (const edge of all) ask(edge);
		assert.equal(total(open), Math.min(limit, before));
		for (const edge of all) reported.set(edge, open.get(edge) ?? 0);
		const settled = new Map(open);
		for (const edge of all) ask(edge);
		assert.deepEqual(open, settled, 'and then nothing more is cut');
	});
	fc.assert(converges, { seed: printedSeed(t) });
});

test('what an edge said without a process does not bind its processes, but all other edges', () => {
	const open = [
		{ edge: 'eu-1', process: '', open: 3 },
		{ edge: 'eu-1', process: 'a', open: 1 },
	];
	assert.equal(mayHaveOpen(5, { edge: 'eu-1', process: 'a' }, open), 5);
	assert.equal(mayHaveOpen(5, { edge: 'eu-1', process: 'b' }, open), 4);
	assert.equal(mayHaveOpen(5, { edge: 'eu-1', process: '' }, open), 4);
	assert.equal(mayHaveOpen(5, { edge: 'eu-2', process: '' }, open), 1);
});
