import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { eventually } from '@bursar/testing/eventually';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import type { MovementsAfterQuery, StoredMovement } from '../../../../src/store/tables/ledger/movements.ts';
import { createReseller, createSubUser } from '../../../support/commands.ts';
import { type Browser, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { rawConnection, requestText } from '../../../support/raw-socket.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const HOUR_MS = 3_600_000;
const BYTE_ORDER_MARK = '\ufeff';
const STATEMENT = '/statement.csv?zone=UTC';

const dashboard = await startDashboard(
	wholeFile,
	{},
	{ fileLimits: { sessionMs: 20, atOnce: 4, keptForOperators: 1 } },
);
const { store, clock, faults, signedIn, resellerWithPerson } = dashboard;
const { browser } = await resellerWithPerson('acme');
const bolt = await resellerWithPerson('bolt');
await bolt.browser.change('/sub-users/create', { username: 'carol' });
const operator = await dashboard.operator();
const day = new Date(clock.nowMs()).toISOString().slice(0, 10);

/** The bytes of a file as text, with its byte order mark. */
async function bytesOf(response: Response): Promise<string> {
	assert.equal(response.status, 200);
	return Buffer.from(await response.arrayBuffer()).toString('utf8');
}

function movement(number: number, given: Partial<StoredMovement> = {}): StoredMovement {
	return {
		number,
		atMs: Date.UTC(2026, 9, 25, 0, 30),
		reseller: 'acme',
		kind: 'give',
		debit: 'acme',
		credit: 'alice',
		amountCents: 1,
		debitBalanceCents: 5,
		creditBalanceCents: 5,
		requestId: `request-${number}`,
		changeId: null,
		tokenTail: null,
		address: null,
		systemUser: null,
		operatorToken: null,
		aboutUsername: null,
		email: null,
		emailReseller: null,
		reference: null,
		reason: null,
		note: null,
		payment: null,
		...given,
	};
}

/** Unix milliseconds as a file has them in UTC. */
function textOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Resolves after many turns of the event loop: what still reads without waiting for a client reads on meanwhile. */
async function manyTurns(): Promise<void> {
	for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('a statement is this file, byte by byte, in the time zone that its header names, also as summer time ends', async () => {
	const topUp = { kind: 'top_up', debit: 'platform:funding', credit: 'acme', debitBalanceCents: null };
	const rows = [
		movement(1, {
			...topUp,
			atMs: Date.UTC(2026, 2, 29, 0, 59, 59),
			amountCents: 1234567,
			creditBalanceCents: 1234567,
		}),
		movement(2, {
			...{ atMs: Date.UTC(2026, 2, 29, 1), email: 'ann@acme.example', emailReseller: 'acme', note: '=for May' },
			...{ reference: '=order', changeId: 'change-number-01' },
		}),
		movement(3, {
			kind: 'take',
			debit: 'alice',
			credit: 'acme',
			amountCents: 99,
			creditBalanceCents: Number.MAX_SAFE_INTEGER,
		}),
		movement(4, {
			...topUp,
			atMs: Date.UTC(2026, 9, 25, 1, 30),
			reference: 'a "b", c',
			reason: 'Überweisung 日本',
		}),
		movement(5, { ...topUp, email: 'op@bursar.example', reference: '=HYPERLINK("http://x")', reason: '+1' }),
		movement(6, { ...topUp, email: '=a@b.example', emailReseller: 'acme', reference: '@SUM(A1)', reason: '-2-3\t=1' }),
		movement(7, { ...topUp, reference: '\u202egnp', reason: '<script>alert(1)</script>\u200d' }),
		movement(8, {
			...{ tokenTail: 'Ab12', address: '198.51.100.7', aboutUsername: 'bobby' },
			kind: 'create_fee',
			credit: 'platform:fees',
			amountCents: 10,
			debitBalanceCents: 0,
			creditBalanceCents: null,
		}),
		movement(9, { ...topUp, reference: 'stripe:cs_1:1', payment: 'pay_1' }),
		movement(10, {
			...{ kind: 'refund_debt', debit: 'platform:debt', debitBalanceCents: null },
			...{ credit: 'platform:funding', creditBalanceCents: null, reference: 'btcpay:in_1:2', payment: 'pay_2' },
		}),
		// Before there were payments through providers, an operator could give such a reference.
		movement(11, { ...topUp, reference: 'stripe:by hand' }),
	];
	faults.listMovementsAfter = async () => ({ rows, nextAfter: null });
	const response = await browser.download('/statement.csv', { zone: 'Europe/Berlin' });
	assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
	assert.equal(response.headers.get('content-disposition'), `attachment; filename="statement-acme-${day}.csv"`);
	assert.equal(response.headers.get('cache-control'), 'no-store');
	assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
	const lines = [
		'id,time (UTC),time (Europe/Berlin),kind,sub-user,amount (USD),balance (USD),by,reference,reason,balance of,bandwidth (bytes),price (USD per GB),note,change id,payment',
		'1,2026-03-29 00:59:59,2026-03-29 01:59:59,top_up,,12345.67,12345.67,operator,,,acme,,,,,',
		"2,2026-03-29 01:00:00,2026-03-29 03:00:00,give,alice,-0.01,0.05,ann@acme.example,'=order,,acme,,,'=for May,change-number-01,",
		'3,2026-10-25 00:30:00,2026-10-25 02:30:00,take,alice,0.99,90071992547409.91,API,,,acme,,,,,',
		'4,2026-10-25 01:30:00,2026-10-25 02:30:00,top_up,,0.01,0.05,operator,"a ""b"", c",Überweisung 日本,acme,,,,,',
		'5,2026-10-25 00:30:00,2026-10-25 02:30:00,top_up,,0.01,0.05,operator,"\'=HYPERLINK(""http://x"")",\'+1,acme,,,,,',
		"6,2026-10-25 00:30:00,2026-10-25 02:30:00,top_up,,0.01,0.05,'=a@b.example,'@SUM(A1),'-2-3\\u0009=1,acme,,,,,",
		'7,2026-10-25 00:30:00,2026-10-25 02:30:00,top_up,,0.01,0.05,operator,\\u202egnp,<script>alert(1)</script>\\u200d,acme,,,,,',
		'8,2026-10-25 00:30:00,2026-10-25 02:30:00,create_fee,bobby,-0.10,0.00,"API, token …Ab12, 198.51.100.7",,,acme,,,,,',
		'9,2026-10-25 00:30:00,2026-10-25 02:30:00,top_up,,0.01,0.05,Stripe,stripe:cs_1:1,,acme,,,,,pay_1',
		'10,2026-10-25 00:30:00,2026-10-25 02:30:00,refund_debt,,-0.01,,BTCPay Server,btcpay:in_1:2,,acme,,,,,pay_2',
		'11,2026-10-25 00:30:00,2026-10-25 02:30:00,top_up,,0.01,0.05,operator,stripe:by hand,,acme,,,,,',
	];
	assert.equal(await bytesOf(response), `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`);
	for (const [zone, time] of [
		['UTC', '2026-10-25 00:30:00'],
		['Asia/Kathmandu', '2026-10-25 06:15:00'],
		['America/St_Johns', '2026-10-24 22:00:00'],
		['+14:00', '2026-10-25 14:30:00'],
	] as const) {
		const [header, , , third] = (await bytesOf(await browser.download('/statement.csv', { zone }))).split('\r\n');
		const columns = zone === 'UTC' ? 1 : 2;
		assert.deepEqual(header?.split(',').slice(1, 1 + columns), ['time (UTC)', `time (${zone})`].slice(-columns));
		assert.deepEqual(third?.split(',').slice(1, 1 + columns), ['2026-10-25 00:30:00', time].slice(-columns));
	}
	delete faults.listMovementsAfter;
});

test('files of sub-users and of bandwidth have all rows, and those of others none', async () => {
	await browser.change('/sub-users/create', { username: 'alice' });
	await browser.change('/sub-users/give', { username: 'alice', amount: 250 });
	const atMs = clock.nowMs();
	await store.recordUsage([{ source: 's', id: '1', username: 'alice', atMs, bytesUp: 5, bytesDown: 6 }], atMs);
	const limits = {
		month_bytes: 5_000,
		connections: 20,
		bytes_per_second: 1_250_000,
		allowed_ips: ['192.0.2.0/24', '2001:db8::7'],
	};
	const expires_at = '2099-12-31T23:00:00Z';
	await browser.change('/sub-users/limits', { username: 'alice', limits: { ...limits, expires_at } });
	await browser.change('/sub-users/note', { username: 'alice', note: '=pays "late", always' });
	const users = await browser.download('/sub-users.csv', { zone: 'Asia/Kathmandu' });
	const made = new Date((await store.findAccount('acme', 'alice'))?.createdAtMs ?? 0);
	const [utc, inNepalToo] = [0, 5.75 * HOUR_MS].map((ms) => textOf(made.getTime() + ms));
	assert.match(users.headers.get('content-disposition') ?? '', new RegExp(`"sub-users-acme-${day}\\.csv"$`));
	assert.deepEqual((await bytesOf(users)).slice(1).split('\r\n'), [
		'name,balance (USD),up in 30 days (bytes),down in 30 days (bytes),created (UTC),created (Asia/Kathmandu),state,usable,reason,used of UTC day (bytes),used of UTC month (bytes),used in total (bytes),limit of UTC day (bytes),limit of UTC month (bytes),limit in total (bytes),limit of connections,limit of speed (bytes a second),allowed addresses,expires (UTC),expires (Asia/Kathmandu),note',
		`alice,2.50,5,6,${utc},${inNepalToo},active,true,,11,11,11,,5000,,20,1250000,192.0.2.0/24 2001:db8::7,2099-12-31 23:00:00,2100-01-01 04:45:00,"'=pays ""late"", always"`,
		'',
	]);
	const query = { username: 'alice', zone: 'Asia/Kathmandu' };
	const bandwidth = (await bytesOf(await browser.download('/bandwidth.csv', { ...query, range: '90d' }))).split('\r\n');
	assert.deepEqual(bandwidth.slice(-2), [`${new Date(atMs).toISOString().slice(0, 10)},5,6,0.00`, '']);
	assert.deepEqual(
		[bandwidth[0], bandwidth.length],
		[`${BYTE_ORDER_MARK}day (UTC),up (bytes),down (bytes),cost (USD)`, 92],
	);
	const hours = (await bytesOf(await browser.download('/bandwidth.csv', { ...query, range: '24h' }))).split('\r\n');
	const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
	const hour = [hourMs, hourMs + 5.75 * HOUR_MS].map(textOf);
	assert.deepEqual(
		[hours[0], hours.at(-2), hours.length],
		[`${BYTE_ORDER_MARK}hour (UTC),hour (Asia/Kathmandu),up (bytes),down (bytes)`, `${hour.join(',')},5,6`, 26],
	);
	const own = await bytesOf(await browser.download('/statement.csv', { zone: 'UTC', kind: 'give', username: 'ALICE' }));
	assert.equal(own.split('\r\n').length, 3);
	assert.match(own, /,give,alice,2\.50,2\.50,ann@acme\.example,,,alice,,,,,\r\n$/);
	const theirs = await operator.download('/operator/statement.csv', { zone: 'UTC', reseller: 'acme' });
	assert.equal((await bytesOf(theirs)).split('\r\n').length, 5);
	const none = await browser.download('/statement.csv', { zone: 'UTC', to: '2020-01-01T00:00:00.000Z' });
	assert.equal((await bytesOf(none)).split('\r\n').length, 2, 'only the header');
	const head = await browser.download('/statement.csv', { zone: 'UTC' }, { method: 'HEAD' });
	assert.deepEqual([head.status, await head.text()], [200, '']);
	assert.match(head.headers.get('content-type') ?? '', /^text\/csv/);
});

test('more rows than fit into a step are all in the file, each once', async () => {
	const names = Array.from({ length: 1_000 }, (_, index) => `user.${String(index).padStart(4, '0')}`);
	const commands = [createReseller('rich', 1_000_000), ...names.map((username) => createSubUser('rich', username))];
	for (const half of [commands.slice(0, 500), commands.slice(500)]) await store.runCommands(half, clock.nowMs());
	const rich = await signedIn('ben@rich.example', 'rich');
	const users = (await bytesOf(await rich.download('/sub-users.csv', { zone: 'UTC' }))).split('\r\n');
	assert.deepEqual(
		users.slice(1, -1).map((line) => line.split(',')[0]),
		names,
	);
	const statement = (await bytesOf(await rich.download('/statement.csv', { zone: 'UTC' }))).split('\r\n');
	const balances = statement.slice(1, -1).map((line) => line.split(',')[5]);
	const expected = Array.from({ length: 1_001 }, (_, fees) => (10_000 - fees / 10).toFixed(2));
	assert.deepEqual(balances, expected);
});

/** Statements without an end, in steps that the test counts. */
function endless(of: Pick<typeof dashboard, 'faults'> = dashboard) {
	const counted = { steps: 0 };
	of.faults.listMovementsAfter = async ({ after, limit }: MovementsAfterQuery) => {
		counted.steps++;
		const rows = Array.from({ length: limit }, (_, index) => movement(after + index + 1, { reason: 'x'.repeat(200) }));
		return { rows, nextAfter: after + limit };
	};
	return counted;
}

/** A statement of one row a step, which ends once this says so. */
function endsOnce(isOver: () => boolean): void {
	faults.listMovementsAfter = async ({ after }) => {
		await new Promise((resolve) => setImmediate(resolve));
		return { rows: [movement(after + 1)], nextAfter: isOver() ? null : after + 1 };
	};
}

const refusedFile = (by: Browser, path = STATEMENT) => by.refused('too_many_files', path);

test('a file ends when its client leaves, and makes room', async () => {
	const counted = endless();
	const leaving = [new AbortController(), new AbortController()];
	const readers = await Promise.all(
		leaving.map(async ({ signal }) =>
			(await browser.download('/statement.csv', { zone: 'UTC' }, { signal })).body?.getReader(),
		),
	);
	for (const reader of readers) for (let chunk = 0; chunk < 20; chunk++) await reader?.read();
	const { headers } = await refusedFile(browser);
	assert.equal(headers.get('retry-after'), '5');
	await refusedFile(browser, '/sub-users.csv?zone=UTC');
	for (const leaver of leaving) leaver.abort();
	await eventually(async () => {
		const { steps } = counted;
		await manyTurns();
		assert.equal(counted.steps, steps);
	});
	assert.equal((await browser.download('/sub-users.csv', { zone: 'UTC' })).status, 200);
	delete faults.listMovementsAfter;
});

test('a search that finds nothing ends too when its client leaves', async () => {
	let steps = 0;
	faults.listMovementsAfter = async ({ after }) => {
		steps++;
		await new Promise((resolve) => setImmediate(resolve));
		return { rows: [], nextAfter: after + 1 };
	};
	const leaver = new AbortController();
	// If nothing held the answer, `fetch` would leave as soon as its memory is collected.
	const answer = await browser.download(
		'/statement.csv',
		{ zone: 'UTC', username: 'alice' },
		{ signal: leaver.signal },
	);
	await eventually(async () => assert.ok(steps > 10));
	leaver.abort();
	await answer.body?.cancel().catch(() => undefined);
	await eventually(async () => {
		const before = steps;
		await manyTurns();
		assert.equal(steps, before);
	});
	delete faults.listMovementsAfter;
});

test('a reader that stalls costs little memory, and loses its connection and makes room', async (t) => {
	const stalling = await startDashboard(t, {}, { fileLimits: { pageMs: 1_000 } });
	const { browser } = await stalling.resellerWithPerson('acme');
	const counted = endless(stalling);
	const stalled = await Promise.all([1, 2].map(() => rawConnection(t, stalling.url)));
	for (const connection of stalled) {
		connection.socket.pause();
		const path = `${DASHBOARD_API}/statement.csv?zone=UTC`;
		connection.write(requestText('GET', path, [`Cookie: ${browser.jar.cookie}`]));
	}
	await eventually(async () => assert.ok(counted.steps >= 2));
	await eventually(async () => {
		const answer = await browser.download('/sub-users.csv', { zone: 'UTC' });
		await answer.arrayBuffer();
		assert.equal(answer.status, 200);
	});
	// What the sockets' buffers took: a step has about 130 KB.
	assert.ok(counted.steps < 1_000, `${counted.steps} steps were read`);
	const { steps } = counted;
	await manyTurns();
	assert.equal(counted.steps, steps);
	for (const { socket } of stalled) socket.destroy();
});

test('a file may not take for ever, however its client reads', async (t) => {
	const impatient = await startDashboard(t, {}, { fileLimits: { wholeMs: 500 } });
	const { browser } = await impatient.resellerWithPerson('acme');
	endless(impatient);
	const response = await browser.download('/statement.csv', { zone: 'UTC' });
	await assert.rejects(response.arrayBuffer());
	assert.equal((await browser.download('/sub-users.csv', { zone: 'UTC' })).status, 200);
});

test('all resellers and operators together have a bounded number of files', async () => {
	endless();
	const ends: AbortController[] = [];
	/** A response that nothing refers to is collected, and its connection closed. */
	const held: Response[] = [];
	const begin = async (begun: () => Promise<Response>) => {
		const response = await begun();
		held.push(response);
		assert.equal(response.status, 200);
	};
	const init = () => {
		const end = new AbortController();
		ends.push(end);
		return { signal: end.signal };
	};
	await begin(() => browser.download('/statement.csv', { zone: 'UTC' }, init()));
	await begin(() => browser.download('/statement.csv', { zone: 'UTC' }, init()));
	await refusedFile(browser);
	await begin(() => bolt.browser.download('/statement.csv', { zone: 'UTC' }, init()));
	await begin(() => operator.download('/operator/statement.csv', { zone: 'UTC', reseller: 'acme' }, init()));
	await refusedFile(bolt.browser);
	await refusedFile(operator, '/operator/statement.csv?zone=UTC&reseller=acme');
	assert.equal(held.length, 4);
	for (const end of ends) end.abort();
	await eventually(async () =>
		assert.equal((await bolt.browser.download('/sub-users.csv', { zone: 'UTC' })).status, 200),
	);
	delete faults.listMovementsAfter;
});

test('a step is read again if the store is unavailable for a moment', async () => {
	let tries = 0;
	faults.listMovementsAfter = async ({ after }) => {
		if (++tries === 2) throw new StoreUnavailableError('planted');
		return { rows: [movement(after + 1)], nextAfter: after < 2 ? after + 1 : null };
	};
	const lines = (await bytesOf(await browser.download('/statement.csv', { zone: 'UTC' }))).split('\r\n');
	assert.deepEqual(
		lines.slice(1, -1).map((line) => line.split(',')[0]),
		['1', '2', '3'],
	);
	assert.equal(tries, 4);
	delete faults.listMovementsAfter;
});

test('a file is whole although the store cannot say for a moment whether its person is signed in', async () => {
	let looks = 0;
	faults.findPersonByEmail = async (email) => {
		if (++looks === 1) throw new StoreUnavailableError('planted');
		return store.findPersonByEmail(email);
	};
	endsOnce(() => looks > 2);
	assert.match(await bytesOf(await browser.download('/statement.csv', { zone: 'UTC' })), /\r\n1,.*\r\n2,.*\r\n$/s);
	delete faults.findPersonByEmail;
	delete faults.listMovementsAfter;
});

test('a file ends soon after its person is locked, and not because of a proof', async () => {
	let [looks, provenAt] = [0, Number.POSITIVE_INFINITY];
	faults.findPersonByEmail = async (email) => {
		looks++;
		return store.findPersonByEmail(email);
	};
	endsOnce(() => looks > provenAt + 2);
	const proving = browser.download('/statement.csv', { zone: 'UTC' });
	const { cookie } = browser.jar;
	await browser.ok('/proof', { password: PASSWORD });
	assert.notEqual(browser.jar.cookie, cookie);
	provenAt = looks;
	await bytesOf(await proving);
	delete faults.findPersonByEmail;

	let rows = 0;
	endsOnce(() => ++rows > 20_000);
	const locked = await (await signedIn('bea@acme.example', 'acme')).download('/statement.csv', { zone: 'UTC' });
	assert.equal(locked.status, 200);
	await dashboard.change({ kind: 'lock_person', email: 'bea@acme.example' });
	await assert.rejects(locked.arrayBuffer());
	delete faults.listMovementsAfter;
});

test('a store that fails is said before the file, and cuts it in the middle', async () => {
	let steps = 0;
	let failsAt = 1;
	faults.listMovementsAfter = async ({ after }) => {
		if (++steps >= failsAt) throw new StoreUnavailableError('planted');
		return { rows: [movement(after + 1)], nextAfter: after + 1 };
	};
	for (let count = 0; count < 5; count++) await browser.refused('unavailable', '/statement.csv?zone=UTC');
	[steps, failsAt] = [0, 3];
	await assert.rejects(async () => (await browser.download('/statement.csv', { zone: 'UTC' })).arrayBuffer());
	[steps, failsAt] = [0, 3];
	await assert.rejects(async () => (await browser.download('/statement.csv', { zone: 'UTC' })).arrayBuffer());
	delete faults.listMovementsAfter;
	assert.equal((await browser.download('/statement.csv', { zone: 'UTC' })).status, 200, 'there is room again');
});

test('the page of another site makes nobody download', async () => {
	for (const site of ['cross-site', 'same-site', 'x']) {
		await browser.refused('wrong_origin', '/statement.csv?zone=UTC', undefined, {
			headers: { 'sec-fetch-site': site },
		});
	}
	const typed = await fetch(browser.address('/statement.csv?zone=UTC'), {
		headers: { cookie: browser.jar.cookie ?? '', 'sec-fetch-site': 'none' },
	});
	assert.equal(typed.status, 200);
	await typed.arrayBuffer();
});
