import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createChange, giveChange } from '../../src/bulk/changes.ts';
import { readInput } from '../../src/bulk/input/read-input.ts';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf } from '../support/input.ts';
import { movementsOf } from '../support/ledger.ts';
import { openShop } from '../support/shop.ts';

describe('the file of a bulk form', () => {
	test('lines of CSV: quotes, CRLF, a byte order mark, comments and blank lines', (t) => {
		const text = '\ufeff# mine\r\n\r\n"Username","Amount"\r\n"alice","1.00"\r\n bruno , $0.05 \r\n"chiara", 0.07';
		const { lines, headingLine } = readInput(fileOf(t, text), giveChange);
		assert.deepEqual(lines, [
			{ line: 4, username: 'alice', amountCents: 100 },
			{ line: 5, username: 'bruno', amountCents: 5 },
			{ line: 6, username: 'chiara', amountCents: 7 },
		]);
		assert.equal(headingLine, 3);
	});

	test('what spreadsheets of other countries write: semicolons, decimal commas, and UTF-16', (t) => {
		const file = fileOf(t, '');
		writeFileSync(file, Buffer.from('\ufeffusername;amount_usd\r\nalice;5,00\r\n', 'utf16le'));
		const { lines, headingLine } = readInput(file, giveChange);
		assert.deepEqual([lines, headingLine], [[{ line: 2, username: 'alice', amountCents: 500 }], 1]);
	});

	test('only the first line can be a heading, in any case', (t) => {
		const named = (text: string) => readInput(fileOf(t, text), createChange).lines.map(({ username }) => username);
		for (const heading of ['username', 'Username', '"USERNAME"', 'User Name', 'user-name']) {
			assert.deepEqual(named(`${heading}\nalice\n`), ['alice'], heading);
		}
		assert.deepEqual(named('alice\nusername\n'), ['alice', 'username']);
		assert.deepEqual(named('username\nusername\n'), ['username']);
	});

	test('a heading says whether amounts are dollars or cents; without one, they show it by themselves', (t) => {
		const amounts = (text: string) =>
			readInput(fileOf(t, text), giveChange).lines.map(({ amountCents }) => amountCents);
		assert.deepEqual(amounts('alice,5.00\nbruno,0.05\nchiara,$5.00\n'), [500, 5, 500]);
		assert.deepEqual(amounts('username,amount\nalice,5.00\n'), [500]);
		for (const heading of ['username,amount_usd', '"Username","Amount (USD)"', 'User,Dollars', 'sub_user,usd']) {
			assert.deepEqual(amounts(`${heading}\nalice,5\nalice,5.0\nalice,5.00\n`), [500, 500, 500], heading);
		}
		for (const heading of ['username,amount_usd_cents', '"username","Amount USD cents"', 'User,Cents']) {
			assert.deepEqual(amounts(`${heading}\nalice,5\n`), [5], heading);
		}
		for (const [text, message] of [
			[
				'alice,5\n',
				/input:1: the amount is not clear\. .*5\.00 for five dollars.*0\.05 for five cents.*username,amount_usd or/,
			],
			['username,amount\nalice,5\n', /input:2: the amount is not clear/],
			['username,amount_usd\nalice,5.001\n', /input:2: the amount must be US dollars with at most two decimals/],
			['username,amount_usd\nalice,0\n', /input:2: the amount must be US dollars with at most two decimals/],
			['username,cents\nalice,5.00\n', /input:2: the amount must be a whole number of USD cents/],
			['username,amount ($)\nalice,5.00\n', /input:1: the amount must be US dollars with two decimals/],
			['alice,amount\nalice,5.00\n', /input:1: the amount must be US dollars with two decimals/],
			['alice,5.00\nusername,amount_usd_cents\n', /input:2: the amount must be/],
		] as const) {
			assert.throws(() => amounts(text), { code: 'invalid_input', message });
		}
	});

	test('a heading with a column reference gives lines their references; without it, no line has one', (t) => {
		const read = (text: string) =>
			readInput(fileOf(t, text), giveChange).lines.map(({ amountCents, reference }) => [amountCents, reference]);
		for (const heading of ['username,amount_usd_cents,reference', '"User","Cents"," Reference "']) {
			assert.deepEqual(read(`${heading}\nalice,5,order-1\nalice,5,"a,b""c"\nalice,5,\n`), [
				[5, 'order-1'],
				[5, 'a,b"c'],
				[5, undefined],
			]);
		}
		for (const [text, message] of [
			['alice,5.00,order-1\n', /input:1: must be username,amount\./],
			['alice,5,00\n', /input:1: must be username,amount\./],
			['username,amount_usd_cents\nalice,5,order-1\n', /input:2: must be username,amount\./],
			['username,amount_usd_cents,reference\nalice,5\n', /input:2: must be username,amount,reference\./],
			['username,amount_usd_cents,note\nalice,5,order-1\n', /input:1: must be username,amount;/],
			['username,cents,reference\nalice,5,two words\n', /input:2: the reference must have 1 to 128 visible/],
			[`username,cents,reference\nalice,5,${'x'.repeat(129)}\n`, /input:2: the reference must have/],
		] as const) {
			assert.throws(() => read(text), { code: 'invalid_input', message });
		}
		assert.throws(() => readInput(fileOf(t, 'username,amount,reference\nalice\n'), createChange), {
			message: /input:1: must be a username/,
		});
	});

	test('a first line that may be a heading or a sub-user is refused', (t) => {
		for (const word of ['user', 'Name', 'names', 'user_name', 'sub_user', 'login', 'customer', 'accounts']) {
			assert.throws(() => readInput(fileOf(t, `${word}\nalice\n`), createChange), {
				code: 'invalid_input',
				message: /input:1: this looks like a heading.*put the heading username above it\. Nothing was sent/,
			});
			assert.equal(readInput(fileOf(t, `username\n${word}\nalice\n`), createChange).lines.length, 2);
			assert.equal(readInput(fileOf(t, `alice\n${word}\n`), createChange).lines.length, 2);
		}
	});

	test('unclosed quotes and overlong lines are refused', (t) => {
		const refused = (text: string, message: RegExp) =>
			assert.throws(() => readInput(fileOf(t, text), createChange), { code: 'invalid_input', message });
		refused('"alice\nbruno"\n', /input:1: a quote is not closed on this line.*input:2: a quote/);
		refused('al"ice\n', /input:1: a quote/);
		refused(`alice\n${'x'.repeat(4097)}\n`, /input:2: longer than 4,096 characters\./);
		refused(`"${'""'.repeat(5_000_000)}\n`, /input:1: longer than/);
		const many = 'x\n'.repeat(3_000_000);
		refused(many, /input:5: this is not a valid username \(4 to 32 .* side by side\); and 2,?999,?995 more/);
	});

	test('a file that is not text, not regular or too large is refused by name', async (t) => {
		const folder = temporaryFolder(t);
		const at = (name: string) => join(folder, name);
		writeFileSync(at('utf16'), Buffer.from('alice\n', 'utf16le'));
		writeFileSync(at('windows'), Buffer.from('# Müller\nalice\n', 'latin1'));
		writeFileSync(at('gzip'), gzipSync('alice\n'));
		mkdirSync(at('folder'));
		const large = openSync(at('large'), 'w');
		ftruncateSync(large, 64 * 1024 ** 2 + 1);
		closeSync(large);
		for (const [name, code, message] of [
			['utf16', 'invalid_input', /not UTF-8 text/],
			['windows', 'invalid_input', /not UTF-8 text/],
			['gzip', 'invalid_input', /not UTF-8 text/],
			['folder', 'unreadable_file', /not a regular file/],
			['large', 'file_too_large', /larger than 64 MiB/],
			['missing', 'unreadable_file', /does not exist/],
		] as const) {
			assert.throws(() => readInput(at(name), createChange), { code, message, exitCode: 2 });
		}
		if (process.platform === 'win32') return;
		execFileSync('mkfifo', [at('pipe')]);
		for (const file of [at('pipe'), '/dev/zero', '/dev/null']) {
			assert.throws(() => readInput(file, createChange), { code: 'unreadable_file', message: /not a regular file/ });
		}
	});
});

test('a heading costs nothing; a sub-user that is really called username is created below a heading', async (t) => {
	const { bursarctl, service } = await openShop(t);
	const headed = fileOf(t, 'username\r\n"alice"\r\n');
	const create = ['sub-user', 'create', '--yes', '--all'];
	const first = await bursarctl.run(...create, headed);
	assert.equal(first.code, 0, first.stderr);
	assert.match(first.stderr, /input:1: this line is a heading and is skipped\n/);
	assert.equal((await movementsOf(service)).fees, 1);

	const gives = fileOf(t, 'username,amount_usd_cents\nalice,5\n');
	assert.equal((await bursarctl.run('balance', 'give', '--yes', '--all', gives)).code, 0);
	const really = await bursarctl.run(...create, fileOf(t, 'username\nusername\n'), '--json');
	assert.equal(really.code, 0, really.stderr);
	assert.match(saidIn(really.stderr).heading.place, /input:1$/);
	assert.deepEqual(
		rowsIn(really.stdout).map(({ line, username, created }) => [line, username, created]),
		[[2, 'username', true]],
	);
	const doubtful = fileOf(t, 'user\nbruno\n');
	assert.equal((await bursarctl.run(...create, doubtful)).code, 2);
	assert.ok(!existsSync(`${doubtful}.journal`));
	assert.deepEqual(await movementsOf(service), { fees: 2, moved: { alice: 5 }, transfers: 1 });
	assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 20 - 5);
});
