import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestFigures } from '../../../src/http/ops/request-figures.ts';

test('durations are counted into every bucket that is long enough, and added up', () => {
	const figures = createRequestFigures();
	for (const ms of [0.1, 0.5, 0.51, 3, 10_000, 60_000]) figures.add('/a', 200, ms);
	figures.add('/a', 404, 1);
	figures.add('/b', 200, 1);
	const lines = figures.durationsText().split('\n');
	assert.ok(lines.includes('# TYPE bursar_http_request_duration_seconds histogram'));
	const value = (part: string, labels: string) => {
		const start = `bursar_http_request_duration_seconds_${part}{${labels}} `;
		const found = lines.filter((line) => line.startsWith(start));
		assert.equal(found.length, 1, start);
		return Number(found[0]?.slice(start.length));
	};
	const counts = [0.0005, 0.001, 0.005, 5, 10].map((bound) => value('bucket', `route="/a",le="${bound}"`));
	assert.deepEqual(counts, [2, 4, 5, 5, 6]);
	assert.equal(value('bucket', 'route="/a",le="+Inf"'), 7);
	assert.equal(value('count', 'route="/a"'), 7);
	assert.equal(value('sum', 'route="/a"').toFixed(5), '70.00511');
	assert.equal(value('count', 'route="/b"'), 1);
	assert.deepEqual(
		[...figures.counts()],
		[
			{ route: '/a', status: 200, count: 6 },
			{ route: '/a', status: 404, count: 1 },
			{ route: '/b', status: 200, count: 1 },
		],
	);
});
