import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
	CALLS,
	type DashboardChanges,
	type DashboardFiles,
	type DashboardReads,
	type Role,
} from '@bursar/contract/dashboard';
import { LARGE_BODIES } from '@bursar/contract/dashboard-schemas';
import { type Browser, startDashboard } from '../../../support/dashboard.ts';
import { createTopUp } from '../../../support/payment-commands.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const act = randomUUID();
const WEBHOOK = `whe_${'a'.repeat(22)}`;
const PAYMENT = `pay_${'a'.repeat(22)}`;
const PAYMENTS = [
	...['after=', 'after=pay_1', `after=${PAYMENT}`, `before=1e3~${PAYMENT}`, `before=-1~${PAYMENT}`],
	...[`after=5~${PAYMENT}%00`, `after=5~${PAYMENT}&before=5~${PAYMENT}`, `after=${'9'.repeat(16)}~${PAYMENT}`],
];
const HOUR_MS = 3_600_000;
const TOMORROW = new Date(Date.now() + 24 * HOUR_MS).toISOString();

/** `reseller`: all people of a reseller; `manager`: its managers and owners. */
type Who = 'all' | 'person' | 'reseller' | 'manager' | 'owner' | 'operator';
interface Call {
	readonly who: Who;
	/** Queries that are refused. */
	readonly bad?: readonly string[];
}

const POSITIONS = [
	'after=',
	'after=%00',
	'after=bob',
	'before=5~BOB',
	'after=5~bobby&before=5~bobby',
	'after=1e3~bobby',
];
const RANGE = ['from=', 'from=2026-13-01T00:00:00.000Z', 'to=2026-11-22', 'to=0', 'from=2026-02-30T00:00:00.000Z'];
const REFERENCES = ['reference=', 'reference=two%20words', `reference=${'a'.repeat(129)}`];
const MOVEMENTS = ['kind=', 'kind=unknown', 'kind=__proto__', ...RANGE, ...REFERENCES];
const BEFORE = ['before=', 'before=-1', 'before=1e3', 'before=9999999999999999', 'before=1&before=2'];
const [DAY, NEXT_DAY] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
const DAYS = `${DAY},${NEXT_DAY}`;
const MANY_DAYS = Array.from({ length: 14 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString());
const BOUNDS = [
	'',
	'bounds=',
	`bounds=${DAY}`,
	`bounds=${NEXT_DAY},${DAY}`,
	`bounds=${DAY},${DAY}`,
	`bounds=${DAYS},`,
	`bounds=${DAYS}&bounds=${DAYS}`,
	'bounds=2026-11-01,2026-11-02',
	`bounds=${MANY_DAYS}`,
];
const ZONE = [
	'',
	'zone=',
	'zone=Mars/Base',
	'zone==1%2B1',
	`zone=${'A'.repeat(65)}`,
	'zone=UTC&zone=UTC',
	'zone=U%0ATC',
];

const SEARCHES = ['', 'text=a&text=b', 'search=a', 'text=%00', 'text=a%0Ab', `text=${'a'.repeat(201)}`];
const SPANS = [
	'',
	'range=',
	'range=7',
	'range=8d',
	'range=07d',
	'range=7d&range=7d',
	'range=365d',
	'range=toString',
	'range=2026-01-02..2026-01-01',
	'range=1999-01-01..1999-01-02',
	'range=9999-01-01..9999-01-02',
	'range=2026-02-30..2026-03-01',
	`range=${'9'.repeat(40)}`,
	'range=24h&unit=day',
	'range=30d&unit=hour',
	'range=7d&unit=minute',
	'days=7',
];
const BANDWIDTH = [...SPANS, 'range=7d&by=day', 'range=7d&username=bobby&edge=eu-1', 'range=7d&by=edge&edge=eu-1'];

const READS: Readonly<Record<keyof DashboardReads | keyof DashboardFiles, Call>> = {
	'/session': { who: 'all' },
	'/account': { who: 'person' },
	'/account/acts': { who: 'person', bad: BEFORE },
	'/first-steps': { who: 'reseller' },
	'/operator/first-steps': { who: 'operator' },
	'/account/mail': { who: 'person', bad: ['person=bobby'] },
	'/proxy-access': { who: 'person', bad: ['username=bobby'] },
	'/token': { who: 'reseller' },
	'/tokens': { who: 'reseller', bad: ['reseller=bolt'] },
	'/operator/tokens': { who: 'operator', bad: ['name=shop'] },
	'/operator/brand': { who: 'operator', bad: ['name=shop'] },
	'/letterhead': { who: 'person', bad: ['reseller=bolt'] },
	'/webhooks': { who: 'reseller', bad: ['reseller=bolt'] },
	'/webhooks/tries': { who: 'reseller', bad: ['', 'id=%00', 'id=a&id=b', `id=whe_1&reseller=bolt`] },
	'/search': { who: 'reseller', bad: SEARCHES },
	'/suspension': { who: 'reseller', bad: ['reseller=bolt'] },
	'/overview': { who: 'reseller' },
	'/metering': { who: 'reseller', bad: ['reseller=bolt'] },
	'/bandwidth': { who: 'reseller', bad: [...BANDWIDTH, 'range=7d&reseller=bolt', 'range=7d&by=reseller'] },
	'/bandwidth/top': { who: 'reseller', bad: [...SPANS, 'range=7d&username=bobby'] },
	'/sub-users': {
		who: 'reseller',
		bad: [
			'order=age',
			'match=regexp',
			'state=',
			'state=deleted',
			...POSITIONS.map((position) => `order=balance&${position}`),
		],
	},
	'/sub-users/count': {
		who: 'reseller',
		bad: ['order=age', 'match=', 'state=gone', 'search=a&search=b', 'first=', 'order=balance&first=bob'],
	},
	'/sub-users/name': { who: 'reseller', bad: ['', 'username=a&username=b', 'username=bobby&reseller=bolt'] },
	'/sub-users/names': { who: 'reseller', bad: ['match=', 'state=gone', 'search=a&search=b', 'order=name'] },
	'/sub-users/states': { who: 'reseller', bad: ['state=active'] },
	'/sub-user': { who: 'reseller', bad: ['', 'username=a&username=b', 'username=bobby&reseller=bolt'] },
	'/deleted-sub-user': { who: 'reseller', bad: ['', 'username=bobby&reseller=bolt'] },
	'/statement': { who: 'reseller', bad: [...MOVEMENTS, ...BEFORE, 'reseller=bolt'] },
	'/statement/references': { who: 'reseller', bad: [...SEARCHES, 'text=a&reseller=bolt'] },
	'/statement/periods': { who: 'reseller', bad: [...BOUNDS, `bounds=${DAYS}&reseller=bolt`] },
	'/statement/lines': { who: 'reseller', bad: ['', 'from=1', 'from=-1&before=2', 'from=1&before=1e3'] },
	'/operator/health': { who: 'operator', bad: ['days=7'] },
	'/operator/money': { who: 'operator', bad: ['reseller=acme'] },
	'/operator/search': { who: 'operator', bad: SEARCHES },
	'/top-ups': { who: 'reseller', bad: [...PAYMENTS, 'reseller=bolt', 'only=findings'] },
	'/top-ups/view': { who: 'reseller', bad: ['', 'id=%00', 'id=a&id=b', `id=${PAYMENT}&reseller=bolt`] },
	'/team': { who: 'reseller', bad: ['reseller=bolt'] },
	'/activity': { who: 'reseller', bad: ['kind=nothing', 'reseller=bolt', ...RANGE, ...BEFORE] },
	'/operator/resellers': {
		who: 'operator',
		bad: [
			'order=income',
			'order=-name&order=name',
			...POSITIONS.map((position) => `order=last_used&${position}`),
			...POSITIONS.slice(3),
		],
	},
	'/operator/reseller': { who: 'operator', bad: ['', 'username=acme'] },
	'/operator/sub-users': {
		who: 'operator',
		bad: ['', 'order=last_used', 'match=end', 'state=', ...POSITIONS.map((position) => `order=balance&${position}`)],
	},
	'/operator/bandwidth': { who: 'operator', bad: [...BANDWIDTH, 'range=7d&by=reseller&edge=eu-1'] },
	'/operator/bandwidth/top': { who: 'operator', bad: [...SPANS, 'range=7d&reseller=acme'] },
	'/operator/sub-user': { who: 'operator', bad: ['', 'reseller=acme', 'username=bobby'] },
	'/operator/statement': { who: 'operator', bad: ['', ...MOVEMENTS, ...BEFORE] },
	'/operator/statement/references': { who: 'operator', bad: SEARCHES },
	'/operator/statement/periods': { who: 'operator', bad: ['', ...BOUNDS] },
	'/operator/statement/lines': { who: 'operator', bad: ['', 'from=1', 'before=1'] },
	'/operator/payments': { who: 'operator', bad: [...PAYMENTS, 'only=', 'only=open', 'username=acme'] },
	'/operator/payment': { who: 'operator', bad: ['', 'id=%00', `id=${PAYMENT}&reseller=acme`] },
	'/operator/people': {
		who: 'operator',
		bad: [
			'reseller=acme',
			'of=',
			'of=all',
			'after=',
			'before=no',
			'after=A@b.example',
			'after=a@b.example&before=a@b.example',
		],
	},
	'/operator/income': { who: 'operator', bad: ['', 'days=8', 'days=7&reseller=acme'] },
	'/operator/usage': { who: 'operator', bad: ['days=7'] },
	'/operator/usage/day': {
		who: 'operator',
		bad: [
			'',
			...['', '2026-11-1', '2026-02-30', '2026-11-21T00:00:00Z', '1969-12-31'].map(
				(day) => `reseller=acme&username=bobby&day=${day}`,
			),
		],
	},
	'/operator/mail': { who: 'operator' },
	'/operator/webhooks': {
		who: 'operator',
		bad: [
			'reseller=acme',
			'after=',
			'after=whe_1',
			'before=5~0~whe_1',
			'after=1e3~0~whe_1',
			`after=0~0~${WEBHOOK}&before=0~0~${WEBHOOK}`,
		],
	},
	'/operator/edges': { who: 'operator', bad: ['name=eu-1'] },
	'/operator/ledger': { who: 'operator' },
	'/operator/acts': { who: 'operator', bad: ['kind=nothing', ...RANGE, ...BEFORE] },
	'/sub-users.csv': { who: 'reseller', bad: ZONE },
	'/bandwidth.csv': {
		who: 'reseller',
		bad: [...ZONE, ...BANDWIDTH.map((query) => `zone=UTC&${query}`), 'zone=UTC&range=7d&by=edge'],
	},
	'/statement.csv': {
		who: 'reseller',
		bad: [...ZONE, ...MOVEMENTS.map((filter) => `zone=UTC&${filter}`), 'zone=UTC&before=5'],
	},
	'/operator/statement.csv': { who: 'operator', bad: [...ZONE, 'zone=UTC'] },
	'/activity.csv': { who: 'reseller', bad: [...ZONE, 'zone=UTC&kind=nothing', 'zone=UTC&before=5'] },
	'/operator/acts.csv': { who: 'operator', bad: [...ZONE, 'zone=UTC&kind=nothing', 'zone=UTC&before=5'] },
};

interface Change extends Pick<Call, 'who'> {
	/** A body that is well formed. */
	readonly body: Readonly<Record<string, unknown>>;
}

const gift = { act, username: 'bobby', amount: 1 };
const payment = { act, reseller: 'acme', amount: 1, reference: 'P-1', reason: '' };
const correction = {
	...{ act, reseller: 'acme', username: 'bobby', day: '2026-11-21', up: 1, down: 0, reference: 'C-1', reason: 'why' },
};
const answer = { id: 'a', rawId: 'a', type: 'public-key' };
const signed = { ...answer, response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' } };
const made = { ...answer, response: { clientDataJSON: 'a', attestationObject: 'a' } };

const CHANGES: Readonly<Record<keyof DashboardChanges, Change>> = {
	'/sign-in': { who: 'all', body: { email: 'a@b.example', password: 'p' } },
	'/sign-in/passkey/question': { who: 'all', body: {} },
	'/sign-in/passkey': { who: 'all', body: { response: signed } },
	'/sign-out': { who: 'all', body: {} },
	'/invitation': { who: 'all', body: { link: 'x' } },
	'/password/forgot': { who: 'all', body: { email: 'ann@acme.example' } },
	'/password/link': { who: 'all', body: { link: 'x' } },
	'/password/new': { who: 'all', body: { link: 'x', password: 'correct horse battery' } },
	'/invitation/accept': { who: 'all', body: { link: 'x' } },
	'/proof': { who: 'person', body: { password: 'p' } },
	'/proof/passkey/question': { who: 'person', body: {} },
	'/proof/passkey': { who: 'person', body: { response: signed } },
	'/account/password': { who: 'person', body: { act, password: 'p' } },
	'/account/codes/setup': { who: 'person', body: {} },
	'/account/codes': { who: 'person', body: { act, setup: 's', code: '1' } },
	'/account/codes/remove': { who: 'person', body: { act } },
	'/account/recovery-codes': { who: 'person', body: { act } },
	'/account/passkeys/question': { who: 'person', body: {} },
	'/account/passkeys': { who: 'person', body: { act, name: 'n', response: made } },
	'/account/passkeys/rename': { who: 'person', body: { act, id: 'a', name: 'n' } },
	'/account/passkeys/remove': { who: 'person', body: { act, id: 'a' } },
	'/account/sessions/end': { who: 'person', body: { act, id: act } },
	'/account/sessions/end-others': { who: 'person', body: { act } },
	'/token/rotate': { who: 'owner', body: { act, overlap_seconds: 0 } },
	'/token/end-all': { who: 'owner', body: { act } },
	'/tokens/create': {
		who: 'owner',
		body: { act, name: 'shop', scopes: ['read'], expires_at: TOMORROW, allowed_ips: null },
	},
	'/tokens/end': { who: 'owner', body: { act, id: 'tok_1' } },
	'/webhooks/create': { who: 'owner', body: { act, url: 'https://hooks.example.com/', types: null } },
	'/webhooks/update': { who: 'owner', body: { act, id: WEBHOOK } },
	'/webhooks/delete': { who: 'owner', body: { act, id: WEBHOOK } },
	'/webhooks/rotate-secret': { who: 'owner', body: { act, id: WEBHOOK } },
	'/webhooks/test': { who: 'owner', body: { act, id: WEBHOOK } },
	'/overview/low-balance': { who: 'manager', body: { act, low_balance: 1 } },
	'/sub-users/create': { who: 'manager', body: { act, username: 'bobby' } },
	'/sub-users/give': { who: 'manager', body: gift },
	'/sub-users/take': { who: 'manager', body: gift },
	'/sub-users/show-key': { who: 'manager', body: { act, username: 'bobby' } },
	'/sub-users/look': { who: 'reseller', body: { usernames: ['bobby'] } },
	'/sub-users/show-keys': { who: 'manager', body: { act, usernames: ['bobby'] } },
	'/sub-users/reset-key': { who: 'manager', body: { act, username: 'bobby' } },
	'/sub-users/suspend': { who: 'manager', body: { act, username: 'bobby' } },
	'/sub-users/resume': { who: 'manager', body: { act, username: 'bobby' } },
	'/sub-users/limits': { who: 'manager', body: { act, username: 'bobby', limits: { day_bytes: 1 } } },
	'/sub-users/sign-in-ips': { who: 'manager', body: { act, username: 'bobby', sign_in_ips: [] } },
	'/sub-users/note': { who: 'manager', body: { act, username: 'bobby', note: '' } },
	'/sub-users/delete': { who: 'manager', body: { act, username: 'bobby' } },
	'/account/mail/choose': { who: 'person', body: { act, mail: 'new_sign_in', wanted: true } },
	'/mail/link': { who: 'all', body: { link: 'x' } },
	'/mail/stop': { who: 'all', body: { link: 'x' } },
	'/team/invite': { who: 'owner', body: { act, email: 'a@b.example', role: 'viewer' } },
	'/team/role': { who: 'owner', body: { act, email: 'a@b.example', role: 'viewer' } },
	'/team/remove': { who: 'owner', body: { act, email: 'a@b.example' } },
	'/operator/resellers/create': { who: 'operator', body: { act, reseller: 'bolt', opening_balance: 0 } },
	'/operator/top-up': { who: 'operator', body: payment },
	'/operator/adjust': { who: 'operator', body: payment },
	'/top-ups/create': { who: 'manager', body: { act, provider: 'stripe', amount: 5_000 } },
	'/operator/payments/read': { who: 'operator', body: { act, id: `pay_${'0'.repeat(22)}` } },
	'/operator/forgive-debt': { who: 'operator', body: { act, reseller: 'acme', amount: 1, reason: 'goodwill' } },
	'/operator/price': { who: 'operator', body: { act, reseller: 'acme', price: 3_500_000 } },
	'/operator/end-tokens': { who: 'operator', body: { act, reseller: 'acme' } },
	'/operator/suspend': { who: 'operator', body: { act, reseller: 'acme' } },
	'/operator/resume': { who: 'operator', body: { act, reseller: 'acme' } },
	'/operator/sign-in-by-address': { who: 'operator', body: { act, reseller: 'acme', allowed: true } },
	'/operator/note': { who: 'operator', body: { act, reseller: 'acme', note: 'pays late' } },
	'/operator/people/invite': { who: 'operator', body: { act, email: 'a@b.example', reseller: null, role: null } },
	'/operator/people/lock': { who: 'operator', body: { act, email: 'a@b.example' } },
	'/operator/people/unlock': { who: 'operator', body: { act, email: 'a@b.example' } },
	'/operator/people/reset': { who: 'operator', body: { act, email: 'a@b.example' } },
	'/operator/people/remove': { who: 'operator', body: { act, email: 'a@b.example' } },
	'/operator/tokens/create': {
		who: 'operator',
		body: { act, name: 'shop', scopes: ['resellers:read'], expires_at: TOMORROW },
	},
	'/operator/tokens/end': { who: 'operator', body: { act, name: 'shop' } },
	'/operator/brand/set': { who: 'operator', body: { act, color: '#0b7285' } },
	'/operator/edges/link': { who: 'operator', body: { act, name: 'eu-1' } },
	'/operator/edges/create': { who: 'operator', body: { act, name: 'eu-1' } },
	'/operator/edges/revoke': { who: 'operator', body: { act, name: 'eu-1' } },
	'/operator/usage/correct': { who: 'operator', body: correction },
	'/operator/ledger/verify': { who: 'operator', body: { act } },
};

const allReads = Object.entries(READS) as [keyof DashboardReads, Call][];
const allChanges = Object.entries(CHANGES) as [keyof DashboardChanges, Change][];

/** A query that is well formed. */
const GOOD: Record<string, string> = {
	'/search': '?text=bob',
	'/operator/search': '?text=bob',
	'/bandwidth': '?range=7d',
	'/bandwidth/top': '?range=24h',
	'/operator/income': '?days=7',
	'/sub-users/name': '?username=bobby',
	'/sub-user': '?username=bobby',
	'/deleted-sub-user': '?username=ended',
	'/operator/reseller': '?reseller=acme',
	'/operator/sub-users': '?reseller=acme',
	'/operator/sub-user': '?reseller=acme&username=bobby',
	'/operator/usage/day': '?reseller=acme&username=bobby&day=2026-11-21',
	'/operator/bandwidth': '?reseller=acme&range=7d&unit=hour',
	'/operator/bandwidth/top': '?range=24h',
	'/operator/statement': '?reseller=acme',
	'/statement/periods': `?bounds=${DAYS}`,
	'/statement/lines': '?from=0&before=5',
	'/statement/references': '?text=order',
	'/operator/statement/references': '?reseller=acme&text=order',
	'/operator/statement/periods': `?reseller=acme&bounds=${DAYS}`,
	'/operator/statement/lines': '?reseller=acme&from=0&before=5',
	'/sub-users.csv': '?zone=UTC',
	'/bandwidth.csv': '?range=90d&zone=UTC',
	'/statement.csv': '?zone=UTC',
	'/operator/statement.csv': '?reseller=acme&zone=UTC',
	'/activity.csv': '?zone=UTC',
	'/operator/acts.csv': '?zone=UTC',
};

/** What stands in a bad query is wrong also if the reseller is named. */
const OF_ONE_RESELLER: ReadonlySet<string> = new Set([
	'/operator/statement',
	'/operator/statement/references',
	'/operator/statement/periods',
	'/operator/statement/lines',
	'/operator/sub-users',
	'/operator/bandwidth',
]);

const { operator: newOperator, browser, clock, store, signedIn, resellerWithPerson } = await startDashboard(wholeFile);
const { browser: person } = await resellerWithPerson('acme');
for (const username of ['bobby', 'ended']) await person.change('/sub-users/create', { username });
await person.change('/sub-users/delete', { username: 'ended' });
const webhook = await person.change('/webhooks/create', { url: 'https://hooks.example.com/', types: null });
GOOD['/webhooks/tries'] = `?id=${webhook.id}`;
assert.equal((await store.runCommands([createTopUp('acme', 5_000, PAYMENT)], clock.nowMs())).kind, 'committed');
for (const path of ['/top-ups/view', '/operator/payment']) GOOD[path] = `?id=${PAYMENT}`;
const { balanceCents } = (await store.findAccount('acme', 'acme')) ?? assert.fail();
const operator = await newOperator();
const nobody = browser();

/** Who passes for each kind of call. */
const ALLOWED: Readonly<Record<Who, readonly Caller[]>> = {
	all: ['nobody', 'viewer', 'manager', 'owner', 'operator'],
	person: ['viewer', 'manager', 'owner', 'operator'],
	reseller: ['viewer', 'manager', 'owner'],
	manager: ['manager', 'owner'],
	owner: ['owner'],
	operator: ['operator'],
};
type Caller = 'nobody' | Role | 'operator';

/** The refusal of a caller who may not make a call. */
function refusalOf(who: Who, caller: Caller) {
	if (caller === 'nobody') return 'signed_out';
	if (caller === 'operator') return 'not_for_operators';
	return who === 'operator' ? 'only_for_operators' : 'not_allowed';
}

test('each role makes the calls that it may make, and is refused all others, with the right reason', async () => {
	const browsers: Readonly<Record<Caller, Browser>> = {
		...{ nobody, operator, owner: person },
		manager: await signedIn('mia@acme.example', 'acme', 'manager'),
		viewer: await signedIn('vic@acme.example', 'acme', 'viewer'),
	};
	for (const [caller, browser] of Object.entries(browsers) as [Caller, Browser][]) {
		for (const [path, { who }] of allReads) {
			const address = path + (GOOD[path] ?? '');
			if (!ALLOWED[who].includes(caller)) await browser.refused(refusalOf(who, caller), address);
			else if (!path.endsWith('.csv')) assert.equal((await browser.ask(address)).status, 200, `${caller} ${path}`);
		}
		for (const [path, { who, body }] of allChanges) {
			// Only the body is still wrong, which is looked at last.
			if (ALLOWED[who].includes(caller)) await browser.refused('invalid_request', path, '[]');
			else await browser.refused(refusalOf(who, caller), path, body);
		}
	}
});

test('a query is read to the letter: what a call does not know is refused, and not ignored', async () => {
	for (const [path, { who, bad = [] }] of allReads) {
		const right = who === 'operator' ? operator : person;
		const needed = OF_ONE_RESELLER.has(path) ? 'reseller=acme&' : '';
		const wrong = bad.map((query) => (query === '' ? '' : needed + query));
		const unknown = ['unknown=1', '__proto__=1', 'constructor=1', '%00=1'].map(
			(query) => `${(GOOD[path] ?? '?').slice(1)}&${query}`,
		);
		for (const query of [...wrong, ...unknown]) await right.refused('invalid_query', `${path}?${query}`);
	}
});

test('nothing changes without a proof, from elsewhere or by a wrong body', async () => {
	for (const [path, { who, body }] of allChanges) {
		const right = who === 'operator' ? operator : person;
		for (const headers of [
			{ origin: 'https://elsewhere.example' },
			{ 'sec-fetch-site': 'cross-site' },
			{ origin: null },
		]) {
			await right.refused('wrong_origin', path, body, { headers });
		}
		const wrong: unknown[] = ['[]', 'null', '"text"', '{', '', `{"act":"${act}","act":"${act}"}`, '{"__proto__":{}}'];
		for (const name of Object.keys(body)) {
			const { [name]: _, ...rest } = body;
			// A link may come without a password, and a sign-in without a code.
			wrong.push(rest, { ...body, [name]: [body[name]] }, { ...body, [name]: { toString: 'x' } });
			const mayBeNull =
				['reseller', 'low_balance', 'price', 'types', 'allowed_ips', 'color'].includes(name) ||
				(name === 'role' && who === 'operator');
			if (!mayBeNull) wrong.push({ ...body, [name]: null });
			if (name === 'act') wrong.push({ ...body, act: 'not-an-id' }, { ...body, act: act.toUpperCase() });
			if (typeof body[name] === 'number') wrong.push({ ...body, [name]: '1' }, `{"act":"${act}","${name}":1e999}`);
		}
		for (const given of wrong.filter((one) => one !== '{"__proto__":{}}' || Object.keys(body).length > 0)) {
			await right.refused('invalid_request', path, given);
		}
		await right.refused(
			'payload_too_large',
			path,
			JSON.stringify({ ...body, more: 'x'.repeat(LARGE_BODIES[path] ?? 16 * 1024) }),
		);
		await right.refused('unsupported_media_type', path, body, { headers: { 'content-type': 'text/plain' } });
		const get = await right.ask(path);
		assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'], path);
	}
	clock.aheadMs = HOUR_MS;
	for (const [path, { who, body }] of allChanges) {
		if (who === 'all' || !CALLS[path].proof) continue;
		await (who === 'operator' ? operator : person).refused('proof_required', path, body);
	}
	assert.equal((await store.findAccount('acme', 'acme'))?.balanceCents, balanceCents);
	const resellers = await store.listResellersBy({ search: '', by: 'name', descends: false, limit: 10 });
	assert.deepEqual(
		resellers.map(({ username }) => username),
		['acme'],
	);
	assert.equal((await person.read('/account/acts')).acts.length, 5);
});
