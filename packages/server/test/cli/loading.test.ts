import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const HOOK = pathToFileURL(join(import.meta.dirname, '../support/loaded-packages.mjs'));
/** Packages that only a service needs. */
const SERVICE_PACKAGES = ['fastify', 'pino', 'typebox', 'prom-client', '@scalar/fastify-api-reference'];

/** The packages that a command loads. Throws unless it ends with the exit code. */
async function loadedBy(
	t: TestContext,
	args: readonly string[],
	{ dataDir = '/nowhere', environment = {}, exitCode = 0 } = {},
): Promise<ReadonlySet<string>> {
	const file = join(temporaryFolder(t), 'loaded');
	const watched = { ...environment, NODE_OPTIONS: `--import="${HOOK}"`, LOADED_PACKAGES_FILE: file };
	const { code, stderr } = await runBursar(t, dataDir, args, { environment: watched });
	assert.equal(code, exitCode, stderr);
	return new Set(JSON.parse(readFileSync(file, 'utf8')) as string[]);
}

/** The URL of a database that refuses every sign-in. */
async function databaseThatRefuses(t: TestContext): Promise<string> {
	const fields = Buffer.from('SFATAL\0C28P01\0Mnobody may sign in\0\0');
	const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), fields]);
	refusal.writeInt32BE(4 + fields.length, 1);
	const server = createServer((socket) => socket.once('data', () => socket.end(refusal)));
	const { port } = await listen(t, server);
	return `postgres://nobody@127.0.0.1:${port}/nothing`;
}

function assertNone(loaded: ReadonlySet<string>, packages: readonly string[]): void {
	assert.ok(loaded.has('commander'), 'the hook recorded no packages');
	assert.deepEqual(
		packages.filter((name) => loaded.has(name)),
		[],
	);
}

test('help and config print load neither a database driver nor packages of the service', async (t) => {
	for (const command of [
		'--help',
		'--version',
		'reseller create --help',
		'person list --help',
		'store copy --help',
		'config print',
	]) {
		assertNone(await loadedBy(t, command.split(' ')), ['better-sqlite3', 'pg', ...SERVICE_PACKAGES]);
	}
});

test('on the embedded engine, only the creation of a store loads node:crypto, and no command perf_hooks', async (t) => {
	const dataDir = temporaryFolder(t);
	const created = await loadedBy(t, ['reseller', 'create', 'acme'], { dataDir });
	if (!created.has('.bursar-bundles')) return t.skip('there is no bundle of the present sources');
	assert.ok(created.has('node:crypto'));
	assert.ok(!created.has('node:perf_hooks'), "the creation of a store loads Node's perf_hooks");
	const loads = async (...args: string[]) => {
		const loaded = await loadedBy(t, args, { dataDir });
		assert.ok(!loaded.has('node:perf_hooks'), `${args.join(' ')} loads Node's perf_hooks`);
		return loaded.has('node:crypto');
	};
	assert.ok(!created.has('copy.cjs'), 'the part that copies stores was loaded');
	for (const command of [
		'reseller list',
		'reseller credit acme 1 --reference one',
		'person list',
		'person end-sessions',
		'ledger verify',
		'migrate',
		'config print',
		'reseller create bolt',
		'reseller rotate-token acme',
		'edge create frankfurt-1',
		'operator invite --email olga@bursar.example',
	]) {
		assert.equal(await loads(...command.split(' ')), false, command);
	}
});

test('a command loads only the driver of its own engine', async (t) => {
	const dataDir = temporaryFolder(t);
	await loadedBy(t, ['migrate'], { dataDir });
	const onSqlite = await loadedBy(t, ['reseller', 'list'], { dataDir });
	assertNone(onSqlite, ['pg', ...SERVICE_PACKAGES]);
	assert.ok(onSqlite.has('better-sqlite3'));

	const environment = {
		BURSAR_DATABASE_URL: await databaseThatRefuses(t),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
	};
	const onPostgres = await loadedBy(t, ['reseller', 'list'], { environment, exitCode: 1 });
	assertNone(onPostgres, ['better-sqlite3', ...SERVICE_PACKAGES]);
	assert.ok(onPostgres.has('pg'));
});

test('a service runs the code that the set-up has compiled for it', async (t) => {
	// Node says which files it compiles itself, because it keeps their code in its cache.
	const environment = { BURSAR_DASHBOARD: '1', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
	const server = await startServer(t, temporaryFolder(t), { environment });
	const { stderr } = await server.kill('SIGTERM');
	const compiled = new Set(Array.from(stderr.matchAll(/\.bursar-bundles\S*?\/([\w-]+)\.cjs\b/g), ([, file]) => file));
	if (compiled.size === 0) return t.skip('there is no bundle of the present sources');
	assert.ok(compiled.has('writer-thread'), 'a thread loads its files without that code');
	for (const file of ['serve', 'service', 'dashboard-routes']) assert.ok(!compiled.has(file), file);
});
