import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	allEndpoints,
	BandwidthRecord,
	endpoints,
	RecordedChange,
	SubUser,
	SubUserAuthKey,
	SubUserBalance,
	SubUserRequest,
	TransferRequest,
} from '@bursar/contract';
import { ResellerEvent } from '@bursar/contract/event-schemas';
import { EVENT_TYPES, type EventData } from '@bursar/contract/events';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

const ALICE = {
	username: 'alice.smith',
	balance: 250,
	proxy_authkey: '4fQ9sLw2ZbT7xKc1',
	date_created: '2026-11-21T09:30:00.000Z',
};
const DAY = { bandwidth: { up: 1, down: 2 }, timestamp: '2026-11-21T00:00:00.000Z' };

/** Throws unless the schema accepts the value, and refuses it with each of the changes. */
function assertTakesOnly(schema: TSchema, value: object, changes: Record<string, readonly unknown[]>): void {
	const compiled = Compile(schema);
	const check = (candidate: unknown) => compiled.Check(candidate);
	assert.ok(check(value));
	for (const [field, values] of Object.entries(changes)) {
		const { [field]: _, ...rest } = value as Record<string, unknown>;
		assert.ok(!check(rest), `without ${field}`);
		for (const wrong of values) assert.ok(!check({ ...value, [field]: wrong }), `${field}: ${JSON.stringify(wrong)}`);
	}
	for (const other of [null, [], [value], 'text', 1, true]) assert.ok(!check(other), JSON.stringify(other));
}

const NO_USERNAMES = [null, 5, '', 'abc', 'a'.repeat(33), 'Alice', '.alice', 'alice_', 'al..ice', 'al ice'];
const NO_BALANCES = [null, '5', -1, 0.5, 2 ** 53];
const NO_KEYS = [null, '', '4fQ9sLw2ZbT7xKc', '4fQ9sLw2ZbT7xKc12', '4fQ9sLw2ZbT7xKc_'];
const NO_DATES = [null, 1795253400, '', 'yesterday', '2026-11-21'];

test('an account has exactly its four fields', () => {
	assertTakesOnly(SubUser, ALICE, {
		username: NO_USERNAMES,
		balance: NO_BALANCES,
		proxy_authkey: NO_KEYS,
		date_created: NO_DATES,
	});
	assert.ok(!Compile(SubUser).Check({ ...ALICE, fee: 10 }), 'deployed clients add up the numbers in it');
});

test('a transfer answers only a username and a balance, a key reset only a username and a key', () => {
	const { username, balance, proxy_authkey } = ALICE;
	assertTakesOnly(SubUserBalance, { username, balance }, { username: NO_USERNAMES, balance: NO_BALANCES });
	assertTakesOnly(SubUserAuthKey, { username, proxy_authkey }, { username: NO_USERNAMES, proxy_authkey: NO_KEYS });
	assert.ok(!Compile(SubUserBalance).Check(ALICE));
	assert.ok(!Compile(SubUserAuthKey).Check(ALICE));
});

test('a bandwidth record has bytes up and down, and the start of its day', () => {
	assertTakesOnly(BandwidthRecord, DAY, {
		bandwidth: [null, 5, {}, { up: 1 }, { up: 1, down: -1 }, { up: 1, down: 2.5 }, { up: 1, down: 2, total: 3 }],
		timestamp: NO_DATES,
	});
	assert.ok(!Compile(BandwidthRecord).Check({ ...DAY, username: 'alice' }));
	assert.ok(Compile(endpoints.viewUsage.data).Check(Array(90).fill(DAY)));
	assert.ok(!Compile(endpoints.viewUsage.data).Check(Array(91).fill(DAY)), 'at most 90 days');
});

test('a recorded change says what was done, and never has a key', () => {
	const change = allEndpoints.viewChange.dataExample as object;
	assertTakesOnly(RecordedChange, change, {
		change_id: [null, 5, 'short', 'a'.repeat(65)],
		kind: [null, 'credit', 'create_sub_user'],
		username: [5, '', 'Alice'],
		amount: ['5', -1, 0.5],
		balance: ['5', -1, 0.5],
		error: [5, true],
		timestamp: NO_DATES,
		request_id: [null, 5],
	});
	const check = (value: object) => Compile(RecordedChange).Check(value);
	assert.ok(check({ ...change, username: null, amount: null, balance: null, error: 'invalid_username' }));
	assert.ok(!check({ ...change, proxy_authkey: ALICE.proxy_authkey }));
	const { data } = allEndpoints.viewChange;
	assert.ok(Compile(data).Check(null) && Compile(data).Check(change));
});

const LIMITS = {
	...{ day_bytes: 5, month_bytes: null, total_bytes: null, connections: null },
	...{ allowed_ips: null, expires_at: null },
};
const EVENT_DATA: EventData = {
	'sub_user.created': { usable: false, reason: 'exhausted' },
	'sub_user.suspended': {},
	'sub_user.resumed': {},
	'sub_user.limits_set': { limits: LIMITS },
	'sub_user.key_reset': {},
	'sub_user.deleted': { amount_usd_cents: 250 },
	'sub_user.unusable': { reason: 'limit_reached' },
	'sub_user.usable': {},
	'reseller.credited': { amount_usd_cents: -5, balance: 0, reference: 'INV-7' },
	'reseller.balance_low': { balance: 3, threshold: 5 },
	'reseller.debt': { state: 'began', debt: 1, line: 500 },
	'reseller.suspended': {},
	'reseller.resumed': {},
	'token.rotated': {
		...{ change: 'rotated', token_tail: 'a1b2', made_by: 'operator' },
		previous_expires_at: '2026-11-21T09:30:00.000Z',
	},
};

test('an event has the data of its type, and of no other', () => {
	const check = (value: object): boolean => Compile(ResellerEvent).Check(value);
	for (const type of EVENT_TYPES) {
		const event = {
			...{ id: 'evt_3Jx0ZqPr7LmVd2TnKc9sWb', number: 7, type, at: '2026-11-21T09:30:00.000Z' },
			...(type.startsWith('sub_user.') && { username: 'alice' }),
			data: EVENT_DATA[type],
		};
		assert.ok(check(event), type);
		assert.ok(check({ ...event, request_id: 'r1', change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw' }), type);
		assert.ok(!check({ ...event, data: { ...event.data, proxy_authkey: ALICE.proxy_authkey } }), type);
		assert.ok(!check({ ...event, request_id: null }), 'absent rather than null');
		const { number: _, ...others } = event;
		assert.ok(!check(others));
		for (const wrong of [{ id: 'evt_1' }, { number: 0 }, { type: 'sub_user.gone' }, { at: 5 }, { data: null }]) {
			assert.ok(!check({ ...event, ...wrong }), `${type} ${JSON.stringify(wrong)}`);
		}
	}
});

test('a request may name its sub-user with any text: an invalid username is not a schema error', () => {
	assertTakesOnly(SubUserRequest, { username: 'alice' }, { username: [null, 5, true, ['alice'], { name: 'alice' }] });
	for (const username of ['', 'Alice', '\u212aelvin', 'a'.repeat(10_000)]) {
		assert.ok(Compile(SubUserRequest).Check({ username }), username.slice(0, 40));
	}
});

test('an amount is an integer from 1 to the largest that JSON carries exactly; nothing is coerced', () => {
	assertTakesOnly(
		TransferRequest,
		{ username: 'alice', amount_usd_cents: 250 },
		{
			username: [null, 5],
			amount_usd_cents: [null, '5', true, [5], 0, -1, 0.1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN],
		},
	);
	for (const amount of ['1', '1.0', '1e2', '9007199254740991']) {
		const body = JSON.parse(`{"username": "alice", "amount_usd_cents": ${amount}}`);
		assert.ok(Compile(TransferRequest).Check(body), amount);
	}
	assert.ok(!Compile(TransferRequest).Check(JSON.parse('{"username": "alice", "amount_usd_cents": 1e400}')));
});

test('extra fields in a request are ignored', () => {
	const more = { username: 'alice', amount_usd_cents: 1, note: 'for November', nested: { deep: [] } };
	assert.ok(Compile(SubUserRequest).Check(more));
	assert.ok(Compile(TransferRequest).Check(more));
});

test('the endpoints are those of docs/api.md 1.2, and every example fits its schema', () => {
	const table = Object.values(allEndpoints).map(({ method, path }) => `${method} ${path}`);
	assert.deepEqual(table.toSorted(), [
		'GET /reseller/my_info',
		'GET /reseller/sub_users/view_all',
		'POST /reseller/account/view',
		'POST /reseller/changes/view',
		'POST /reseller/events/view_page',
		'POST /reseller/statement/view_page',
		'POST /reseller/sub_users/create',
		'POST /reseller/sub_users/create_with',
		'POST /reseller/sub_users/delete',
		'POST /reseller/sub_users/give_balance',
		'POST /reseller/sub_users/reset_auth_key',
		'POST /reseller/sub_users/resume',
		'POST /reseller/sub_users/set_limits',
		'POST /reseller/sub_users/set_note',
		'POST /reseller/sub_users/suspend',
		'POST /reseller/sub_users/take_balance',
		'POST /reseller/sub_users/view_details',
		'POST /reseller/sub_users/view_page',
		'POST /reseller/sub_users/view_single',
		'POST /reseller/sub_users/view_txs',
		'POST /reseller/tokens/create',
		'POST /reseller/tokens/end',
		'POST /reseller/tokens/view_all',
		'POST /reseller/top_ups/create',
		'POST /reseller/top_ups/view_page',
		'POST /reseller/webhooks/create',
		'POST /reseller/webhooks/delete',
		'POST /reseller/webhooks/rotate_secret',
		'POST /reseller/webhooks/test',
		'POST /reseller/webhooks/update',
		'POST /reseller/webhooks/view_all',
		'POST /reseller/webhooks/view_tries',
	]);
	for (const { method, path, request, requestExample, data, dataExample } of Object.values(allEndpoints)) {
		assert.equal(request !== undefined, method === 'POST', path);
		if (request) assert.ok(Compile(request).Check(requestExample), `the request of ${path}`);
		assert.ok(Compile(data).Check(dataExample), `the data of ${path}`);
	}
});
