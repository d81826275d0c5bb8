import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { npm, projectWith, run } from '@bursar/testing/packed';
import { startProcess } from '@bursar/testing/test-process';
import { artifacts } from '../support/artifacts.ts';

const FREE_PORTS = { BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };

test('the packages in an empty project: the demo by npx bursar, and a program with the client', async (t) => {
	const made = await artifacts();
	const tarballs = readdirSync(made).filter((name) => name.endsWith('.tgz'));
	assert.equal(tarballs.length, 4);
	const project = await projectWith(t, ...tarballs.map((name) => join(made, name)));

	const demo = startProcess(t, npm('exec', '--', 'bursar'), {
		under: ['env', '-C', project],
		environment: FREE_PORTS,
	});
	await eventually(async () => assert.match(demo.stdout(), /-x http/), 60_000);
	const shown = demo.stdout();
	const [, url = ''] = /Bursar is ready at (\S+)/.exec(shown) ?? [];
	const [, token = ''] = /Bearer (brs_\w+)/.exec(shown) ?? [];
	for (const path of ['/dashboard', '/docs/', '/openapi.json']) {
		assert.equal((await fetch(new URL(path, url))).status, 200, path);
	}

	const environment = { BURSAR_URL: url, BURSAR_TOKEN: token };
	const account = await run(npm('exec', '--', 'bursarctl', 'account', '--json'), project, environment);
	assert.equal(JSON.parse(account.output).username, 'demo.reseller');
	writeFileSync(
		join(project, 'program.js'),
		`import { Bursar } from '@bursar/client';
		console.log((await new Bursar().account.retrieve()).username);`,
	);
	const program = await run([process.execPath, 'program.js'], project, environment);
	assert.equal(program.output, 'demo.reseller\n');
	const edge = await run(npm('exec', '--', 'bursar-edge', '--version'), project);
	const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
	assert.equal(edge.output, `${version}\n`);
});

test('what npm installs has a complete manifest and no install script', async () => {
	const made = await artifacts();
	for (const name of readdirSync(made).filter((file) => file.endsWith('.tgz'))) {
		const { output } = await run(['tar', '--extract', '--to-stdout', '--file', name, 'package/package.json'], made);
		const manifest = JSON.parse(output);
		for (const field of ['description', 'keywords', 'homepage', 'bugs', 'license', 'repository', 'files', 'exports']) {
			assert.ok(manifest[field], `${name}: ${field}`);
		}
		assert.ok(manifest.engines.node && manifest.publishConfig.provenance, name);
		assert.equal(manifest.scripts, undefined, name);
		assert.equal(manifest.devDependencies, undefined, name);
		const listed = await run(['tar', '--list', '--file', name], made);
		for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md'])
			assert.match(listed.output, new RegExp(`^package/${file}$`, 'm'));
	}
});
