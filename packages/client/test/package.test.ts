import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildPublished, projectWith, run, toolOf } from '@bursar/testing/packed';
import { startTestService } from '@bursar/testing/service';

const CONSUMER = `import { Bursar, type Creation, OutcomeUnknownError } from '@bursar/client';

export async function open(client: Bursar): Promise<number> {
	const { subUser, fee }: Creation = await client.subUsers.create('alice', { signal: AbortSignal.timeout(1) });
	const born: Date = subUser.dateCreated;
	return fee.maxCents + born.getTime();
}
export const isOpen = (error: unknown): string | undefined =>
	error instanceof OutcomeUnknownError ? error.known.operation : undefined;
// @ts-expect-error an amount is a number of cents
export const wrong = (client: Bursar) => client.subUsers.give('alice', '5');
`;

test('the published package works', async (t) => {
	const project = await projectWith(t, await buildPublished(t));

	await t.test('it is one module without dependencies, and its manifest says so', () => {
		const installed = join(project, 'node_modules/@bursar/client');
		assert.deepEqual(
			readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
			['@bursar'],
		);
		const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs'];
		const files = [...documents, 'index.d.ts', 'index.js', 'index.js.map', 'package.json'];
		assert.deepEqual(readdirSync(installed).sort(), files);
		assert.doesNotMatch(readFileSync(join(installed, 'index.js'), 'utf8'), /^\s*import\s|\brequire\(|\bimport\(/m);
		const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
		assert.equal(manifest.dependencies, undefined);
	});

	await t.test('its types compile in a strict project that checks libraries too', async () => {
		writeFileSync(join(project, 'consumer.ts'), CONSUMER);
		const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext'];
		const compiled = await run([...toolOf('typescript', 'bin/tsc'), ...options, 'consumer.ts'], project);
		assert.equal(compiled.code, 0, compiled.output);
	});

	await t.test('every example of its README and of its page runs', async (inner) => documentedExamples(inner, project));
});

async function documentedExamples(t: TestContext, project: string): Promise<void> {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10_000);
	const documents = ['docs/client.md', 'README.md'].map((name) =>
		readFileSync(join(project, 'node_modules/@bursar/client', name), 'utf8'),
	);
	const examples = Array.from(documents.join('\n').matchAll(/```js\n(.*?)```/gs), ([, code]) => code as string);
	assert.equal(examples.length, 16 + 1, 'one for each method or group of methods, and one for the start');
	for (const [index, code] of examples.entries()) writeFileSync(join(project, `example-${index + 1}.mjs`), code);
	// One process for all: to start it takes longer than an example.
	const imports = examples.map(
		(_, index) => `console.log('example ${index + 1}'); await import('./example-${index + 1}.mjs');`,
	);
	writeFileSync(join(project, 'examples.mjs'), `${imports.join('\n')}\nconsole.log('the end');`);
	const ended = await run([process.execPath, 'examples.mjs'], project, {
		BURSAR_URL: service.url,
		BURSAR_TOKEN: token,
	});
	assert.equal(ended.code, 0, ended.output);
	assert.match(ended.output, /^the end$/m);
}
