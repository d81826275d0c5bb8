import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { query, startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { artifact } from '../support/artifacts.ts';
import { buildImage, type Container, healthy, runContainer } from '../support/container-image.ts';

const FILES = join(import.meta.dirname, '../../container');
const USER = 10001;
const VOLUME = '/var/lib/bursar';

test('the image of the Containerfile runs as a user, on a read-only root and without a capability', async (t) => {
	const image = await buildImage(t, await artifact('bursar-1', `-linux-${process.arch}.tar.xz`));

	await t.test('what it keeps is in its volume: a new container on the same volume has the balance', async (t) => {
		const volume = newVolume(t);
		const { environment, url } = await ports();
		const first = runContainer(t, image, environment, { [VOLUME]: volume });
		await healthy(first);
		const token = await createReseller(first);
		assert.equal((await resellerApi(url, token).myInfo()).data.balance, 50_000);

		const startedAt = performance.now();
		const { code } = await first.stop();
		assert.equal(code, 0, 'process 1 ends in order at the signal of the image');
		assert.ok(performance.now() - startedAt < 10_000, 'within ten seconds');

		const second = runContainer(t, image, environment, { [VOLUME]: volume });
		await healthy(second);
		assert.equal((await resellerApi(url, token).myInfo()).data.balance, 50_000);
		assert.equal((await second.stop()).code, 0);
	});

	await t.test('process 1 is Node itself, has no rights, and can write only to the volume and /tmp', async (t) => {
		assert.equal(image.config.User, `${USER}:${USER}`);
		assert.deepEqual(Object.keys(image.config.Volumes), [VOLUME]);
		const { uid, gid, mode } = statSync(join(image.root, VOLUME));
		assert.deepEqual([uid, gid, mode & 0o777], [USER, USER, 0o700]);

		const volume = newVolume(t);
		const container = runContainer(t, image, (await ports()).environment, { [VOLUME]: volume });
		await healthy(container);
		for (const page of ['operating/README.md', 'examples/alerts.yaml'])
			assert.equal((await container.exec('test', '-f', `/opt/bursar/docs/${page}`)).code, 0, page);
		const { stdout: program } = await container.exec('readlink', '/proc/1/exe');
		assert.equal(program.trim(), '/opt/bursar/lib/node');
		const { stdout: status } = await container.exec('cat', '/proc/1/status');
		assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
		for (const set of ['Prm', 'Eff', 'Bnd', 'Amb']) assert.match(status, new RegExp(`^Cap${set}:\t0{16}$`, 'm'));
		for (const path of ['/new', '/opt/bursar/new', '/etc/new'])
			assert.notEqual((await container.exec('touch', path)).code, 0, path);
		for (const name of ['bursar.db', 'master.key']) {
			const { uid, mode } = statSync(join(volume, name));
			assert.deepEqual([uid, mode & 0o077], [USER, 0], name);
		}
	});

	await t.test('the health check fails while no service listens', async (t) => {
		const { environment } = await ports();
		const container = runContainer(t, image, environment, { [VOLUME]: newVolume(t) }, ['sleep', '60']);
		await eventually(async () => assert.equal((await container.exec('true')).code, 0));
		assert.equal(await container.isHealthy(), false);
	});

	await t.test('a backup goes into a second mount, and the store stays as it is', async (t) => {
		const [volume, backups] = [newVolume(t), newVolume(t)];
		const { environment, url } = await ports();
		const container = runContainer(t, image, environment, { [VOLUME]: volume, '/backups': backups });
		await healthy(container);
		const token = await createReseller(container);
		const { code, stderr } = await container.exec('bursar', 'backup', '/backups/bursar.db');
		assert.equal(code, 0, stderr);
		assert.equal(statSync(join(backups, 'bursar.db')).uid, USER);
		assert.equal((await resellerApi(url, token).myInfo()).data.balance, 50_000);
	});

	await t.test(
		'over PostgreSQL it runs with the settings of compose.postgresql.yaml, as a role of its own',
		async (t) => {
			const server = await startPostgres();
			t.after(() => server.remove());
			const password = randomBytes(24).toString('hex');
			// As the image of PostgreSQL runs it, with psql's variable filled in.
			const statements = readFileSync(join(FILES, 'postgresql-role.sql'), 'utf8').match(/^CREATE .*;$/gm) ?? [];
			assert.equal(statements.length, 2);
			for (const statement of statements) await query(server.url(), statement.replace(":'password'", `'${password}'`));
			assert.deepEqual(await query(server.url(), "SELECT rolsuper FROM pg_roles WHERE rolname = 'bursar'"), [
				{ rolsuper: false },
			]);

			const secret = join(temporaryFolder(t), 'master.key');
			writeFileSync(secret, `${randomBytes(32).toString('base64')}\n`);
			chmodSync(secret, 0o444);
			const { environment, url } = await ports();
			const settings = serviceSettings('compose.postgresql.yaml');
			assert.equal(settings.BURSAR_MASTER_KEY_FILE, '/run/secrets/master-key');
			const database = new URL(settings.BURSAR_DATABASE_URL ?? assert.fail('no database'));
			assert.equal(database.hostname, 'postgres');
			database.hostname = '127.0.0.1';
			database.port = String(server.port);
			const container = runContainer(
				t,
				image,
				{ ...settings, ...environment, BURSAR_DATABASE_URL: database.href, PGPASSWORD: password },
				{ [VOLUME]: newVolume(t), '/run/secrets/master-key': secret },
			);
			await healthy(container);
			const token = await createReseller(container);
			assert.equal((await resellerApi(url, token).myInfo()).data.balance, 50_000);

			await server.stop('fast');
			await eventually(async () => assert.equal(await container.isHealthy(), false), 30_000);
			assert.equal((await container.stop()).code, 0);
		},
	);
});

async function createReseller(container: Container): Promise<string> {
	const create = ['reseller', 'create', 'acme', '--balance', '500.00', '--json'];
	const { code, stdout, stderr } = await container.exec('bursar', ...create);
	assert.equal(code, 0, stderr);
	return JSON.parse(stdout).token;
}

/** A container shares the machine's network here, so it gets free ports. */
async function ports() {
	const port = await freePort();
	return {
		url: `http://127.0.0.1:${port}`,
		environment: { BURSAR_PORT: String(port), BURSAR_OPS_PORT: String(await freePort()) },
	};
}

/** A folder that is like a new volume: engines give it the owner and the mode of the folder in the image. */
function newVolume(t: TestContext): string {
	const folder = join(temporaryFolder(t), 'volume');
	mkdirSync(folder, { mode: 0o700 });
	chownSync(folder, USER, USER);
	return folder;
}

/** The variables of the service in a Compose file, without those that the engine fills in. */
function serviceSettings(name: string): Readonly<Record<string, string>> {
	const [, service = ''] = /^ {2}bursar:\n([\s\S]*?)^(?: {2})?\w/m.exec(readFileSync(join(FILES, name), 'utf8')) ?? [];
	return Object.fromEntries(
		Array.from(service.matchAll(/^ {6}([A-Z_]+): "?([^"$\n]+)"?$/gm), ([, name = '', value = '']) => [name, value]),
	);
}
