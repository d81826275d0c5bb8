import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeBulkText, readBulkFile } from '../src/bulk.ts';

const amounts = (text: string) => {
	const { lines, problems } = readBulkFile(text, { hasAmounts: true });
	return problems.length > 0 ? problems.map(({ code }) => code) : lines.map(({ amountCents }) => amountCents);
};
const created = (text: string) => readBulkFile(text, { hasAmounts: false, hasTerms: true });
const terms = (text: string) => {
	const { lines, problems } = created(text);
	return problems.length > 0 ? problems.map(({ code }) => code) : lines.map((line) => line.terms);
};

describe('separators', () => {
	test('semicolons and tabs separate cells as commas do', () => {
		for (const text of [
			'alice,5.00\nbruno,0.05\n',
			'alice;5.00\r\nbruno;0.05\r\n;;\r\n',
			'alice\t5.00\nbruno\t0.05\n',
			'alice,\t5.00\nbruno,\t0.05\n',
			'"alice";"5,00"\n bruno ; 0,05 \n',
			'username;amount_usd\nalice;5\nbruno;0,05\n',
			'username\tamount_usd\treference\nalice\t5.00\t\nbruno\t0.05\to-1\n',
		]) {
			assert.deepEqual(amounts(text), [500, 5], text);
		}
	});

	test('a comma before decimals counts only where semicolons separate, and only if it can be nothing else', () => {
		assert.deepEqual(amounts('username;amount_usd\nalice;5,5\nalice;1234,50\nalice;$5,00\n'), [550, 123_450, 500]);
		for (const amount of ['1,234', '1.234', '1.234,50', '1,234.50', '5,', ',50', '5,000', '5,0,0', '-5,00', '5,00 €']) {
			assert.deepEqual(amounts(`alice;${amount}\n`), ['invalid_amount'], amount);
			assert.deepEqual(amounts(`username;amount_usd\nalice;${amount}\n`), ['invalid_usd'], amount);
		}
		assert.deepEqual(amounts('alice;5,5\n'), ['invalid_amount'], 'without a heading, two decimals show the unit');
		assert.deepEqual(amounts('username;amount_usd_cents\nalice;5,00\n'), ['invalid_cents']);
		for (const text of ['alice,"5,00"\n', 'alice\t5,00\n']) assert.deepEqual(amounts(text), ['invalid_amount'], text);
		assert.deepEqual(amounts('alice,5,00\n'), ['not_username_and_amount']);
	});

	test('the first line says what separates all lines', () => {
		assert.deepEqual(amounts('alice;5.00\nbruno,5.00\n'), ['not_username_and_amount']);
		assert.deepEqual(amounts('alice,5.00;x\n'), ['invalid_username']);
	});
});

test('a file may be UTF-8 or UTF-16 with its mark; what is neither has no text', () => {
	const utf16le = Buffer.from('\ufeffalice;5,00\n', 'utf16le');
	for (const bytes of [Buffer.from('alice;5,00\n'), Buffer.from('\ufeffalice;5,00\n'), utf16le, utf16le.swap16()]) {
		assert.equal(decodeBulkText(bytes), 'alice;5,00\n');
	}
	const windows1252 = Buffer.from('username;note\nalice;M\u00fcller\n', 'latin1');
	const withoutMark = Buffer.from('alice\n', 'utf16le');
	for (const bytes of [windows1252, withoutMark, Buffer.from([0x1f, 0x8b, 0, 0])]) {
		assert.equal(decodeBulkText(bytes), undefined);
	}
	assert.equal(decodeBulkText(new Uint8Array()), '');
});

describe('new sub-users', () => {
	test('below a heading, a line says balance, limits, end and note; an empty cell says nothing', () => {
		const heading =
			'username;amount_usd;Day bytes;month_bytes;total_bytes;connections;bytes_per_second;allowed_ips;expires_at;note;reference';
		const full =
			'2,50;2GB;500 MB;1000;20;12.5 Mbit;192.168.2.0/24 2001:db8::7;2026-12-31T23:00:00+01:00;"pays; by invoice";order-7';
		assert.deepEqual(terms(`${heading}\nalice;${full}\nbruno;;;;;;;;;;\n`), [
			{
				amountCents: 250,
				limits: {
					day_bytes: 2_000_000_000,
					month_bytes: 500_000_000,
					total_bytes: 1000,
					connections: 20,
					bytes_per_second: 1_562_500,
					allowed_ips: ['192.168.2.0/24', '2001:db8::7'],
					expires_at: '2026-12-31T22:00:00.000Z',
				},
				note: 'pays; by invoice',
				reference: 'order-7',
			},
			{ amountCents: 0, limits: {}, note: '' },
		]);
		assert.deepEqual(
			terms('username\tnote\tamount_usd_cents\nalice\tVIP\t5\nbruno\t\t\n').map((each) => [
				(each as { amountCents: number }).amountCents,
				(each as { note: string }).note,
			]),
			[
				[5, 'VIP'],
				[0, ''],
			],
		);
	});

	test('a line has room for all that may be said of a sub-user', () => {
		const networks = Array.from({ length: 32 }, (_, index) => `2001:db8:1234:5678:9abc:def0:1234:${5000 + index}/128`);
		const note = '"'.repeat(200);
		const line = `alice,9007199254740991,${networks.join(' ')},"${note.replaceAll('"', '""')}"`;
		const [read] = terms(`username,amount_usd_cents,allowed_ips,note\n${line}\n`);
		assert.deepEqual(read, { amountCents: 9007199254740991, limits: { allowed_ips: networks }, note });
	});

	test('usernames alone are such a file too', () => {
		for (const text of ['alice\nbruno\n', 'username\nalice\nbruno\n']) {
			assert.deepEqual(
				created(text).lines.map(({ username, terms }) => [username, terms?.amountCents]),
				[
					['alice', 0],
					['bruno', 0],
				],
			);
		}
	});

	test('what is wrong is said by its line, and a name twice is refused', () => {
		for (const [text, code] of [
			['alice,5.00\n', 'needs_heading'],
			['username,colour\nalice,red\n', 'unknown_column'],
			['username,note,note\nalice,a,b\n', 'unknown_column'],
			['username,amount,amount_usd\nalice,1.00,1.00\n', 'unknown_column'],
			['username,note\nalice\n', 'not_as_heading'],
			['username,note\nalice,a,b\n', 'not_as_heading'],
			['username,note\nalice,a\nALICE,b\n', 'same_username'],
			['username,amount\nalice,5\n', 'doubtful_amount'],
			['username,amount_usd\nalice,0\n', 'invalid_usd'],
			['username,day_bytes\nalice,"1,5GB"\n', 'invalid_day_bytes'],
			// Somewhere, that is five hundred thousand bytes, or a thousand gigabytes.
			['username,day_bytes\nalice,500.000\n', 'invalid_day_bytes'],
			['username;day_bytes\nalice;1.000 GB\n', 'invalid_day_bytes'],
			['username\tday_bytes\nalice\t1.000GB\n', 'invalid_day_bytes'],
			['username,connections\nalice,0\n', 'invalid_connections'],
			['username,allowed_ips\nalice,localhost\n', 'invalid_allowed_ips'],
			['username,expires_at\nalice,2026-12-31\n', 'invalid_expires_at'],
			['username,expires_at\nalice,2026-02-30T00:00:00Z\n', 'invalid_expires_at'],
			[`username,note\nalice,${'x'.repeat(201)}\n`, 'invalid_note'],
			['username,note\nalice,a\u202eb\n', 'invalid_note'],
			['username,reference\nalice,two words\n', 'invalid_reference'],
		] as const) {
			assert.deepEqual(terms(text), [code], text);
		}
	});
});
