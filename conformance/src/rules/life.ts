import { allEndpoints, type Endpoint, endpoints, LIMIT_NAMES } from '@bursar/contract';
import {
	expectAccepted,
	expectEqual,
	expectFailure,
	expectFields,
	expectThat,
	fieldOf,
	isAccepted,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { userWithUsage } from './usage.ts';

const STATES = 'docs/api.md 11.1 Suspend and resume';
const LIMITS = 'docs/api.md 11.2 Set limits';
const NOTES = 'docs/api.md 11.3 Set note';
const DETAILS = 'docs/api.md 11.4 View details';
const { suspendSubUser, resumeSubUser, setLimits, setNote, setSignInIps, viewDetails, viewSubUserPage } = allEndpoints;

const NO_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null]));
const FAR = '2099-12-31T23:00:00.000Z';
const ALL_LIMITS = {
	day_bytes: 1,
	month_bytes: Number.MAX_SAFE_INTEGER,
	total_bytes: 5_000_000_000,
	connections: 1_000_000,
	bytes_per_second: 1_000_000_000_000,
	allowed_ips: ['192.0.2.7', '2001:db8::/32'],
	expires_at: FAR,
};
/** Addresses in a request, and in its answer. */
const ADDRESSES = {
	sent: [
		...['192.0.2.9/24', '192.0.2.200/24', '198.51.100.7/32', '::ffff:203.0.113.5'],
		...['2001:DB8:0:0:0:0:0:1', '2001:db8:ffff::/33', '0.0.0.0/0', '::/0'],
	],
	answered: [
		...['192.0.2.0/24', '198.51.100.7', '203.0.113.5', '2001:db8::1', '2001:db8:8000::/33'],
		...['0.0.0.0/0', '::/0'],
	],
};
const many = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`);
/** Values that no limit may have. */
const WRONG_LIMITS: Readonly<Record<string, readonly unknown[]>> = {
	day_bytes: [0, -1, 1.5, 2 ** 53, '5', true, [5], {}],
	month_bytes: [0, '1'],
	total_bytes: [0, '1'],
	connections: [0, 1_000_001, 2.5, '20'],
	bytes_per_second: [0, 7_999, 8_000.5, 1_000_000_000_001, '8000'],
	allowed_ips: [
		...[[], many(33), '192.0.2.7', {}, [5], [null], ['']],
		...['192.0.2', '192.0.2.7/33', '192.0.2.7/', '192.0.2.7/-1', '192.0.2.256', '010.0.0.1', '0x7f.0.0.1'].map(one),
		...['fe80::1%eth0', '2001:db8::/129', '2001:db8::1::2', 'localhost', '192.0.2.7 ', '::ffff:192.0.2.7/95'].map(one),
		...['::ffff:010.0.0.1', '::192.0.2.7'].map(one),
		['192.0.2.7', 'no address'],
	],
	expires_at: ['2099-12-31T23:00:00', '2099-12-31', '2099-02-30T00:00:00Z', 'tomorrow', '', 4_102_441_200, true],
};
const WRONG_NOTES = ['x'.repeat(201), 'two\nlines', 'a\ttab', 'a null\0', '\u202ebackwards', '\u2028', 'a mark\u200b'];

function one(address: string): readonly string[] {
	return [address];
}

/** State, limits and notes of a sub-user. */
export const lifeRules: readonly Rule[] = [
	{
		name: 'life.suspend',
		basis: 'bursar',
		guarantee:
			'Suspend and resume answer the state, which the details show, and change nothing else. A repeat succeeds.',
		source: STATES,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const look = async () => expectAccepted(await session.api.viewSingle(session.subUser()));
				const before = await look();
				for (const [endpoint, state] of [
					[suspendSubUser, 'suspended'],
					[suspendSubUser, 'suspended'],
					[resumeSubUser, 'active'],
					[resumeSubUser, 'active'],
				] as const) {
					expectEqual(`data of ${endpoint.path}`, await ask(endpoint), { username: session.subUser(), state });
					expectEqual(`the state after ${endpoint.path}`, fieldOf(await ask(viewDetails), 'state'), state);
					expectEqual(`the sub-user after ${endpoint.path}`, await look(), before);
				}
			}),
	},
	{
		name: 'life.refused-pair',
		basis: 'bursar',
		guarantee: 'The eight endpoints answer for a suspended and expired sub-user as for any other.',
		source: 'docs/api.md 11 The life of a sub-user',
		needs: ['sub-user'],
		balanceCents: 3,
		check: (session) =>
			whileChanged(session, async (ask) => {
				const { api, subUser } = session;
				const look = async () => expectAccepted(await api.viewSingle(subUser()));
				const usage = expectAccepted(await api.viewTxs(subUser()));
				await ask(suspendSubUser);
				await ask(setLimits, { expires_at: '2020-01-01T00:00:00Z', total_bytes: 1 });
				expectAccepted(await api.give(subUser(), 3));
				expectAccepted(await api.take(subUser(), 1));
				expectAccepted(await api.resetAuthKey(subUser()));
				const seen = await look();
				expectEqual('its balance', fieldOf(seen, 'balance'), 2);
				const all = expectAccepted(await api.viewAll()) as readonly unknown[];
				const listed = all.filter((each) => fieldOf(each, 'username') === subUser());
				expectEqual('its entries in view_all', listed, [seen]);
				expectEqual('its usage', expectAccepted(await api.viewTxs(subUser())), usage);
			}),
	},
	{
		name: 'life.limits',
		basis: 'bursar',
		guarantee: 'set_limits sets what is present, removes what is null, leaves the others, and answers all six.',
		source: LIMITS,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const expected: Record<string, unknown> = { ...NO_LIMITS };
				const steps = [ALL_LIMITS, ...LIMIT_NAMES.map((name) => ({ [name]: null })), ALL_LIMITS, { connections: 5 }];
				for (const fields of steps) {
					Object.assign(expected, fields);
					const answer = await ask(setLimits, fields);
					const sent = `after set_limits with ${Object.keys(fields).join(', ')}`;
					expectEqual(`its data ${sent}`, answer, { username: session.subUser(), limits: expected });
					expectEqual(`the limits ${sent}`, fieldOf(await ask(viewDetails), 'limits'), expected);
				}
			}),
	},
	{
		name: 'life.addresses',
		basis: 'bursar',
		guarantee: 'allowed_ips takes up to 32 addresses and networks of IPv4 and IPv6, and has one form of each.',
		source: LIMITS,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				for (const { sent, answered } of [ADDRESSES, { sent: many(32), answered: many(32) }]) {
					const answer = await ask(setLimits, { allowed_ips: sent });
					const expected = { ...NO_LIMITS, allowed_ips: answered };
					expectEqual('the limits in the answer', fieldOf(answer, 'limits'), expected);
					expectEqual('the limits in the details', fieldOf(await ask(viewDetails), 'limits'), expected);
				}
			}),
	},
	{
		name: 'life.expires',
		basis: 'bursar',
		guarantee: 'From expires_at on the state is `expired`, unless it is `suspended`. A later time ends that.',
		source: `${STATES}; ${LIMITS}`,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const limits = fieldOf(await ask(setLimits, { expires_at: '2020-01-01T01:30:00+01:30' }), 'limits');
				expectEqual('expires_at in the answer', fieldOf(limits, 'expires_at'), '2020-01-01T00:00:00.000Z');
				const state = async () => fieldOf(await ask(viewDetails), 'state');
				expectEqual('the state after the time is over', await state(), 'expired');
				expectEqual('the state in suspend', fieldOf(await ask(suspendSubUser), 'state'), 'suspended');
				expectEqual('the state in resume', fieldOf(await ask(resumeSubUser), 'state'), 'expired');
				for (const expires_at of [FAR, '2020-01-01T00:00:00Z', null]) {
					await ask(setLimits, { expires_at });
					const expected = expires_at?.startsWith('2020') ? 'expired' : 'active';
					expectEqual(`the state with expires_at ${expires_at}`, await state(), expected);
				}
			}),
	},
	{
		name: 'life.usable',
		basis: 'bursar',
		guarantee: 'The details say whether the proxies accept the pair, and of several reasons why not the first.',
		source: DETAILS,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const said = async () => {
					const details = await ask(viewDetails);
					return [fieldOf(details, 'usable'), fieldOf(details, 'reason')];
				};
				const before = await said();
				// Without a balance, it is exhausted if bandwidth has a price.
				const expected = before[0] === true ? [true, null] : [false, 'exhausted'];
				expectEqual('whether it is usable', before, expected);
				await ask(setLimits, { expires_at: '2020-01-01T00:00:00Z' });
				expectEqual('why an expired one is not usable', await said(), [false, 'expired']);
				await ask(suspendSubUser);
				expectEqual('why a suspended and expired one is not usable', await said(), [false, 'suspended']);
				await ask(setLimits, { expires_at: FAR });
				expectEqual('why a suspended one is not usable', await said(), [false, 'suspended']);
				await ask(resumeSubUser);
				expectEqual('whether it is usable again', await said(), before);
			}),
	},
	{
		name: 'life.wrong-limits',
		basis: 'bursar',
		guarantee: 'A limit of another type or out of bounds, or none at all, answers 400, and no limit is set.',
		source: LIMITS,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				await ask(setLimits, ALL_LIMITS);
				const expectRefused = async (fields: object) => {
					const answer = await session.api.call(setLimits, { body: { username: session.subUser(), ...fields } });
					expectFailure(answer, 400, 'invalid_limits', `sent with ${JSON.stringify(fields).slice(0, 80)}`);
				};
				await expectRefused({});
				for (const [name, values] of Object.entries(WRONG_LIMITS)) {
					// The other limit is well formed.
					for (const value of values) await expectRefused({ total_bytes: null, [name]: value });
				}
				expectEqual('the limits', fieldOf(await ask(viewDetails), 'limits'), ALL_LIMITS);
			}),
	},
	{
		name: 'life.note',
		basis: 'bursar',
		guarantee: 'A note of up to 200 characters is kept as it is, and an empty one removes it.',
		source: NOTES,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				for (const note of ['pays by invoice', '\u{1f600}'.repeat(200), '<b>"\\', 'Zoë – 東京', '']) {
					expectEqual('data of set_note', await ask(setNote, { note }), { username: session.subUser(), note });
					expectEqual('the note in the details', fieldOf(await ask(viewDetails), 'note'), note);
				}
			}),
	},
	{
		name: 'life.wrong-notes',
		basis: 'bursar',
		guarantee: 'A note that is too long or has invisible characters answers 400, and the note stays as it was.',
		source: NOTES,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				await ask(setNote, { note: 'before' });
				const call = (fields: object) =>
					session.api.call(setNote, { body: { username: session.subUser(), ...fields } });
				for (const note of WRONG_NOTES)
					expectFailure(await call({ note }), 400, 'invalid_note', `sent with ${JSON.stringify(note).slice(0, 40)}`);
				for (const fields of [{}, { note: null }, { note: 5 }, { note: ['x'] }])
					expectFailure(await call(fields), 400, 'invalid_request', `sent with ${JSON.stringify(fields)}`);
				expectEqual('the note', fieldOf(await ask(viewDetails), 'note'), 'before');
			}),
	},
	{
		name: 'life.details',
		basis: 'bursar',
		guarantee:
			'The details of a new sub-user say that it is active, without limits and note, never seen and never refused.',
		source: DETAILS,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const used = { day_bytes: 0, month_bytes: 0, total_bytes: 0, connections: null };
				const details = await ask(viewDetails);
				const usable = fieldOf(details, 'usable');
				const empty = { limits: NO_LIMITS, used, sign_in_ips: [], note: '' };
				const expected = { username: session.subUser(), state: 'active', ...empty };
				const reason = usable === true ? null : 'exhausted';
				expectEqual('the details', details, {
					...{ ...expected, usable, reason, last_seen: null, last_refusal: null, refusals: [] },
				});
				await ask(setLimits, { connections: 5 });
				const connections = fieldOf(fieldOf(await ask(viewDetails), 'used'), 'connections');
				expectEqual('the open connections of one with a limit', connections, 0);
			}),
	},
	{
		name: 'life.used',
		basis: 'bursar',
		guarantee: 'The details tell the bytes of this UTC day, of this month and of all time, and when it was last seen.',
		source: DETAILS,
		async check(session) {
			const { api } = session;
			await expectOffered(api);
			const username = await userWithUsage(session);
			const before = await usageOf(api, username);
			const details = expectAccepted(await api.call(viewDetails, { body: { username } }));
			const after = await usageOf(api, username);
			if (before.today !== after.today) throw new NotTestable('a UTC day began meanwhile');
			const names = ['day_bytes', 'month_bytes', 'total_bytes', 'connections'];
			const used = expectFields('what is used', fieldOf(details, 'used'), names);
			for (const [name, least, most] of [
				['day_bytes', before.day, after.day],
				['month_bytes', before.month, after.month],
				// Of all time: view_txs does not show older days.
				['total_bytes', before.shown, Number.MAX_SAFE_INTEGER],
			] as const) {
				const bytes = used[name] as number;
				expectThat(bytes >= least && bytes <= most, `used.${name}`, `from ${least} to ${most}`, bytes);
			}
			const seenMs = Date.parse(String(fieldOf(details, 'last_seen')));
			expectThat(
				seenMs >= before.lastDayMs,
				'last_seen',
				`${before.lastDayMs} or later`,
				fieldOf(details, 'last_seen'),
			);
		},
	},
];

/** Calls an endpoint about the sub-user of the run. Returns the data of the success. */
type Ask = (endpoint: Endpoint, fields?: object) => Promise<unknown>;

/** Does the work, and makes the sub-user of the run what it was before, even if the work fails. */
export async function whileChanged(session: Session, work: (ask: Ask) => Promise<void>): Promise<void> {
	const { api, subUser } = session;
	await expectOffered(api);
	const call = (endpoint: Endpoint, fields = {}) => api.call(endpoint, { body: { username: subUser(), ...fields } });
	try {
		await work(async (endpoint, fields) => expectAccepted(await call(endpoint, fields)));
	} finally {
		await call(resumeSubUser);
		await call(setLimits, NO_LIMITS);
		await call(setNote, { note: '' });
		await call(setSignInIps, { sign_in_ips: [] });
	}
}

/** Throws `NotTestable` if the service does not offer the endpoints of docs/api.md 11. */
export async function expectOffered(api: ResellerApi): Promise<void> {
	const answer = await api.call(viewSubUserPage, { body: { limit: 1 } });
	if (!isAccepted(answer) && answer.errorCode !== 'internal_error' && [404, 405, 410, 501].includes(answer.status)) {
		throw new NotTestable(`the service does not offer it: ${answer.asked} was answered ${answer.status}`);
	}
}

/** A sub-user of its own. If the rule fails, the run takes back its balance. */
export async function newSubUser({ api, subUsers }: Session): Promise<string> {
	await expectOffered(api);
	return subUsers.make(api);
}

/** What view_txs tells of a sub-user, in bytes up and down together. */
async function usageOf(api: ResellerApi, username: string) {
	const answer = await api.call(endpoints.viewUsage, { body: { username } });
	const today = new Date(Number(answer.envelope?.timestamp) * 1000).toISOString().slice(0, '2026-11-21'.length);
	const records = (expectAccepted(answer) as readonly unknown[]).map((record) => {
		const { up, down } = fieldOf(record, 'bandwidth') as { readonly up: number; readonly down: number };
		return { day: String(fieldOf(record, 'timestamp')), bytes: up + down };
	});
	const sumOf = (prefix: string) =>
		records.filter(({ day }) => day.startsWith(prefix)).reduce((sum, { bytes }) => sum + bytes, 0);
	const used = records.filter(({ bytes }) => bytes > 0).map(({ day }) => Date.parse(day));
	return {
		today,
		day: sumOf(today),
		month: sumOf(today.slice(0, '2026-11'.length)),
		shown: sumOf(''),
		lastDayMs: Math.max(...used),
	};
}
