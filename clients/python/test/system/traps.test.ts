import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pythonOfTests, runPython, TESTS } from '../support/python.ts';

test('the Python client falls into none of the traps', async (t) => {
	const python = await pythonOfTests(t);
	const { code, output } = await runPython(python, ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', TESTS]);
	assert.equal(code, 0, output);
	t.diagnostic(output.trim().split('\n').at(-1) ?? '');
});
