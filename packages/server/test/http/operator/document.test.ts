import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR_API, operatorErrors, operatorOperations } from '@bursar/contract/operator';
import { lintOpenApi } from '../../support/lint-openapi.ts';
import { startOperatorService } from '../../support/operator-service.ts';

test('the document and its page are on the port of the operator, need no token, and pass the rules of Redocly', async (t) => {
	const { operatorUrl, document } = await startOperatorService(t);
	assert.equal(document.info.title, 'Bursar operator API');
	assert.deepEqual(
		Object.keys(document.paths),
		Object.values(operatorOperations).map(({ path }) => OPERATOR_API + path),
	);
	const page = await fetch(`${operatorUrl}/docs/`);
	assert.match(await page.text(), /<title>Bursar operator API<\/title>/);
	assert.deepEqual(await lintOpenApi(t, document), { exitCode: 0, problems: [] });
});

test('each failure belongs to a call, and each call has the failures that all have', async (t) => {
	const { codes } = await startOperatorService(t);
	const all = [...codes.values()].reduce((known, each) => known.union(each), new Set<string>());
	// No path of the document answers it.
	assert.deepEqual([...all, 'not_found'].toSorted(), Object.keys(operatorErrors).toSorted());
	for (const [name, { failures }] of Object.entries(operatorOperations)) {
		assert.ok(new Set<string>(failures).isSubsetOf(codes.get(name) ?? new Set()), name);
	}
});
