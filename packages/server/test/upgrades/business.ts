import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, resellerApi } from '@bursar/testing/api';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import type { ProcessOwner } from '@bursar/testing/test-process';
import { dashboardPerson } from './dashboard-person.ts';
import type { PersonFacts, ResellerFacts, StoreFacts } from './released-stores.ts';

const DAY_MS = 86_400_000;
const EDGE_LIMIT_MS = 20_000;

/** Does business of every kind with a new store, and returns what must be true of it afterwards. */
export async function doBusiness(
	owner: ProcessOwner,
	dataDir: string,
	settings: Readonly<Record<string, string>>,
): Promise<StoreFacts> {
	const environment = { BURSAR_DASHBOARD: '1', BURSAR_EDGE_PORT: '0', ...settings };
	const bursar = async (...args: string[]) => {
		const { code, stdout, stderr } = await runBursar(owner, dataDir, [...args, '--json'], { environment });
		assert.equal(code, 0, `bursar ${args.slice(0, 2).join(' ')}: ${stderr}`);
		return JSON.parse(stdout);
	};
	const first = await bursar('reseller', 'create', 'acme', '--balance', '5000.00');
	const service = await startServer(owner, dataDir, { environment });
	const { url } = service;
	const edgeUrl = service.edgeUrl ?? assert.fail('the edge listener is off');

	// Money, over the API and by commands.
	const acme = await bursar('reseller', 'rotate-token', 'acme', '--overlap-seconds', '0');
	const stolen = await bursar('reseller', 'create', 'umbrella', '--balance', '70.00');
	const umbrella = await bursar('reseller', 'revoke-token', 'umbrella');
	const api = resellerApi(url, acme.token);
	for (const username of ['alice', 'bob_2', 'c.d.e']) {
		await done(api.create({ username }));
		await done(api.give({ username, amount_usd_cents: 7_000 }));
		await done(api.take({ username, amount_usd_cents: 33 }));
	}
	assert.equal((await api.create({ username: 'alice' })).errorCode, 'username_taken');
	await done(api.resetAuthKey({ username: 'bob_2' }));
	await done(resellerApi(url, umbrella.token).create({ username: 'carol' }));
	await bursar('reseller', 'credit', 'acme', '50.00', '--reference', 'invoice-1', '--reason', 'Thank you: ölga');
	await bursar('reseller', 'credit', 'acme', '-12.00', '--reference', 'refund-1', '--reason', 'Paid twice');

	// People. Ben is locked, and Eve has not answered her invitation.
	const invite = async (whose: readonly string[], email: string) =>
		(await bursar(...whose, '--email', email)).link as string;
	const people: PersonFacts[] = [];
	const accept = async (email: string, link: string, { locked = false, claims = false } = {}) => {
		const person = dashboardPerson(url);
		const password = randomBytes(12).toString('base64url');
		const accepted = await person.accept(link, { password, ...(claims && { email }) });
		people.push({ email, password, locked, ...accepted });
		return person;
	};
	const ann = await accept('ann@acme.example', await invite(['reseller', 'invite', 'acme'], 'ann@acme.example'));
	await ann.change('/sub-users/give', { username: 'alice', amount: 250 });
	await ann.change('/overview/low-balance', { low_balance: 10_000 });
	await accept('ben@acme.example', await invite(['reseller', 'invite', 'acme'], 'ben@acme.example'), { locked: true });
	await bursar('person', 'lock', 'ben@acme.example');
	await invite(['reseller', 'invite', 'umbrella'], 'eve@umbrella.example');
	const olga = await accept('olga@bursar.example', (await bursar('operator', 'claim')).link, { claims: true });
	await accept('otto@bursar.example', await invite(['operator', 'invite'], 'otto@bursar.example'));
	await olga.change('/operator/top-up', {
		reseller: 'umbrella',
		amount: 300,
		reference: 'invoice-2',
		reason: 'Bank transfer',
	});

	// Bandwidth: from a proxy host, from a file, and corrected.
	const [gateway, revoked] = [
		await bursar('edge', 'create', '--key', 'gw'),
		await bursar('edge', 'create', '--key', 'old'),
	];
	await bursar('edge', 'revoke', 'old');
	const counters = [
		{ counter: 'c:1', username: 'alice', up: 1_000, down: 20_000 },
		{ counter: 'c:2', username: 'carol', up: 5, down: 70 },
	];
	await reportFirst(edgeUrl, gateway.key, counters);
	await bursar('usage', 'import', reportsOf(dataDir, ['alice', 'bob_2', 'acme']));
	const day = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
	const correction = ['--up', '-1', '--down', '4096', '--reference', 'fix-1', '--reason', 'Lost by a host'];
	await bursar('usage', 'correct', 'alice', day, ...correction);

	const facts = {
		resellers: [
			await resellerFacts(url, acme.token, [first.token]),
			await resellerFacts(url, umbrella.token, [stolen.token]),
		],
		people,
		edges: [
			{ name: 'gw', key: gateway.key, revoked: false, counters },
			{ name: 'old', key: revoked.key, revoked: true, counters: [] },
		],
	};
	assert.equal((await service.kill('SIGTERM')).code, 0, 'the service did not end in order');
	const commands = [];
	for (const [args, kept] of COMMANDS) commands.push({ args, printed: only(await bursar(...args), kept) });
	return { madeAtMs: Date.now(), ...facts, commands };
}

/** Commands to repeat under later versions. Of each list entry, only these fields do not change with time or use. */
const COMMANDS: readonly (readonly [args: readonly string[], kept: readonly string[] | 'all'])[] = [
	[['ledger', 'verify'], ['ok']],
	[['reseller', 'list'], 'all'],
	[['movements', '--limit', '1000'], 'all'],
	[['usage', 'corrections'], 'all'],
	[
		['person', 'list'],
		['email', 'reseller', 'second_factor'],
	],
	[
		['edge', 'list'],
		['name', 'state', 'key_tail', 'date_created'],
	],
];

function only(printed: Readonly<Record<string, unknown>>, kept: readonly string[] | 'all'): object {
	if (kept === 'all') return printed;
	const pick = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([name]) => kept.includes(name)));
	const [[name, list] = ['', undefined]] = Object.entries(printed);
	return Array.isArray(list) ? { [name]: list.map(pick) } : pick(printed);
}

async function done(answer: Promise<Answer>): Promise<void> {
	const { status, errorCode } = await answer;
	assert.equal(status, 200, String(errorCode));
}

async function resellerFacts(url: string, token: string, endedTokens: readonly string[]): Promise<ResellerFacts> {
	const api = resellerApi(url, token);
	const subUsers = (await api.viewAll()).data;
	const usage: Record<string, readonly object[]> = {};
	for (const { username } of subUsers) usage[username] = (await api.viewTxs({ username })).data;
	return { token, endedTokens, account: (await api.myInfo()).data, subUsers, usage };
}

/** A service learns of a new edge within moments. */
async function reportFirst(edgeUrl: string, key: string, counters: readonly object[]): Promise<void> {
	const at = new Date().toISOString();
	await eventually(async () => {
		const { status, body } = await edgeApi(edgeUrl, key).usage({ counters: counters.map((each) => ({ ...each, at })) });
		assert.equal(status, 200);
		assert.equal(body.counted, counters.length);
	}, EDGE_LIMIT_MS);
}

/** A file with reports of the last days. */
function reportsOf(folder: string, usernames: readonly string[]): string {
	const reports = Array.from({ length: 60 }, (_, index) => ({
		source: 'eu-1',
		id: String(index),
		username: usernames[index % usernames.length],
		timestamp: new Date(Date.now() - (index % 5) * DAY_MS).toISOString(),
		up: 10 + index,
		down: 1_000 * index,
	}));
	const file = join(folder, 'reports.ndjson');
	writeFileSync(file, reports.map((report) => `${JSON.stringify(report)}\n`).join(''));
	return file;
}
