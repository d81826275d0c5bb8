import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitOpenFiles } from '../../../src/proxy/client/fit-open-files.ts';

test('where few files may be open, one account leaves some of them to others', () => {
	const options = { maxConnections: 10_000, maxConnectionsPerClient: 256, maxConnectionsPerAccount: 2_000 };
	const warnings: unknown[] = [];
	const logger = { warn: (fields: unknown) => void warnings.push(fields) };
	for (const enough of [undefined, 65_536, 20_512]) assert.equal(fitOpenFiles(options, enough, logger), options);
	assert.equal(warnings.length, 0);
	const fitting = { maxConnections: 256, maxConnectionsPerClient: 51, maxConnectionsPerAccount: 51 };
	assert.deepEqual(fitOpenFiles(options, 1_024, logger), fitting);
	assert.deepEqual(warnings, [{ limit: 1_024, needed: 20_512, ...fitting }]);
	assert.equal(fitOpenFiles(options, 100, logger).maxConnections, 8);
});
