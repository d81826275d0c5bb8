import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pythonWith } from '@bursar/testing/python';

/** A Python of its own, with the package `standardwebhooks` of PyPI. Resolves with the path of its program. */
export function pythonWithWebhooks(t: TestContext): Promise<string> {
	return pythonWith(t, ['standardwebhooks==1.1.0']);
}

/** A Python of its own, with `schemathesis` of PyPI and all that it needs. Resolves with the path of that program. */
export async function pythonWithSchemathesis(t: TestContext): Promise<string> {
	const python = await pythonWith(t, ['--requirement', join(import.meta.dirname, 'schemathesis.txt')]);
	return join(python, '../schemathesis');
}
