import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { parseEnvironmentFile } from '../../src/cli/environment-file.ts';
import { installedSettings } from '../../src/cli/installed-settings.ts';

test('a file of settings is read as systemd reads it', () => {
	const text = String.raw`
# A=comment
  ; B=comment
C=plain # no comment
 D =  spaces around  ${''}
E='single \n $x'
F="double \" \\ \$ \n"
G=back\\slash \
continued
H="one"'two'three
I=it's
J=
K="over
two lines"
no assignment
1L=not a name
M=p%40ss#1=2
N=`;
	assert.deepEqual(parseEnvironmentFile(text), {
		C: 'plain # no comment',
		D: 'spaces around',
		E: String.raw`single \n $x`,
		F: String.raw`double " \ $ \n`,
		G: String.raw`back\slash continued`,
		H: 'onetwothree',
		I: "it's",
		J: '',
		K: 'over\ntwo lines',
		M: 'p%40ss#1=2',
		N: '',
	});
});

test('installed programs have the data folder of the unit, unless the file of settings names another', (t) => {
	const file = join(temporaryFolder(t), 'bursar.env');
	assert.deepEqual(installedSettings(file), { BURSAR_DATA_DIR: '/var/lib/bursar' });
	writeFileSync(file, 'BURSAR_PORT=8081\n');
	assert.deepEqual(installedSettings(file), { BURSAR_DATA_DIR: '/var/lib/bursar', BURSAR_PORT: '8081' });
	writeFileSync(file, 'BURSAR_DATA_DIR=/srv/bursar\n');
	assert.deepEqual(installedSettings(file), { BURSAR_DATA_DIR: '/srv/bursar' });
});

for (const command of [
	['reseller', 'create', 'acme'],
	['operator', 'claim'],
	['operator', 'invite', '--email', 'olga@bursar.example'],
	['migrate'],
]) {
	test(`bursar ${command.join(' ')} begins no store in the folder where one stands`, async (t) => {
		const cwd = temporaryFolder(t);
		const under = ['env', '-u', 'BURSAR_DATA_DIR', '-C', cwd];
		const { code, stdout, stderr } = await runBursar(t, cwd, command, { under });
		assert.deepEqual([code, stdout], [1, '']);
		assert.match(stderr, /there is no store: .*bursar\.db does not exist\. Set BURSAR_DATA_DIR/);
		assert.ok(!existsSync(join(cwd, 'data')));
	});
}
