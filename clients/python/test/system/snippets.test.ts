// In `system/` because it needs Python and packages of PyPI.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '@bursar/testing/packed';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { pythonOfTests, SOURCES } from '../support/python.ts';

const ROOT = join(import.meta.dirname, '../../../..');

test('every Python example of the page and of the README runs, and passes the strict mode of mypy', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10_000);
	const python = await pythonOfTests(t);
	const ofPage = examplesOf('docs/client.md', 'python');
	assert.equal(
		ofPage.length,
		examplesOf('docs/client.md', 'js').length + 1,
		'each of TypeScript, and that of AsyncBursar',
	);
	const examples = [...ofPage, ...examplesOf('clients/python/README.md', 'python')];

	const folder = temporaryFolder(t);
	for (const [index, code] of examples.entries()) writeFileSync(join(folder, `example_${index + 1}.py`), code);
	const environment = { PYTHONPATH: SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
	const checked = await run([python, '-m', 'mypy', '--strict', '--cache-dir=/dev/null', '.'], folder, environment);
	assert.equal(checked.code, 0, checked.output);
	// One process for all, as for those of TypeScript.
	const program = `import runpy
for number in range(1, ${examples.length + 1}):
    print("example", number, flush=True)
    runpy.run_path(f"example_{number}.py", run_name="__main__")
print("the end")`;
	const ended = await run([python, '-c', program], folder, {
		...environment,
		BURSAR_URL: service.url,
		BURSAR_TOKEN: token,
	});
	assert.equal(ended.code, 0, ended.output);
	assert.match(ended.output, /^the end$/m);
});

/** The examples of a document in a language. */
function examplesOf(document: string, language: string): readonly string[] {
	const text = readFileSync(join(ROOT, document), 'utf8');
	return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, code = '']) => code);
}
