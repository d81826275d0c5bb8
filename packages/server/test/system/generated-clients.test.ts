import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { npm, run } from '@bursar/testing/packed';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { pythonWithClientGenerator } from '../support/python.ts';

test('clients that are generated from the document of a service build, and call it', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const document = `${service.url}/openapi.json`;
	const environment = { BURSAR_URL: service.url, BURSAR_TOKEN: token };
	const folder = await folderOfClients(t);
	const modules = join(folder, 'node_modules');

	/** Runs a program, which must end well, and resolves with what it printed. */
	async function succeed(program: string, ...args: string[]): Promise<string> {
		const { code, output } = await run([program, ...args], folder, environment);
		assert.equal(code, 0, output);
		return output;
	}
	const node = (program: string, ...args: string[]) => succeed(process.execPath, join(modules, program), ...args);

	await t.test('openapi-typescript and hey-api', async () => {
		await node('openapi-typescript/bin/cli.js', document, '--output', 'generated/openapi-typescript.d.ts');
		const told = await node('@hey-api/openapi-ts/bin/run.js', '--input', document, '--output', 'generated/hey-api');
		assert.doesNotMatch(told, /warn|error|skip/i);
		await node('typescript/bin/tsc', '--project', '.');
		for (const name of ['openapi-typescript', 'hey-api']) {
			assert.equal(await succeed(process.execPath, `built/${name}.js`), 'done\n', name);
		}
	});

	await t.test('openapi-python-client', async (inner) => {
		const python = await pythonWithClientGenerator(inner);
		const generator = join(dirname(python), 'openapi-python-client');
		const options = ['--meta', 'none', '--output-path', 'generated/python', '--fail-on-warning'];
		// It calls ruff, which is beside it.
		const path = `${dirname(python)}:${process.env.PATH}`;
		const generated = await run([generator, 'generate', '--url', document, ...options], folder, { PATH: path });
		assert.deepEqual(generated, { code: 0, output: 'Generating generated/python\n' });
		await succeed(python, '-m', 'compileall', '-q', 'generated/python');
		assert.equal(await succeed(python, 'openapi_python_client.py'), 'done\n');
	});
});

/** The programs that use the clients, and the generators that the lockfile beside them names. */
async function folderOfClients(t: TestContext): Promise<string> {
	const folder = join(temporaryFolder(t), 'clients');
	cpSync(join(import.meta.dirname, '../generated-clients'), folder, { recursive: true });
	const installed = await run(npm('ci', '--ignore-scripts', '--no-audit', '--no-fund'), folder);
	assert.equal(installed.code, 0, installed.output);
	return folder;
}
