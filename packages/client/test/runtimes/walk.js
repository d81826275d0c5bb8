// Runs on every runtime and uses the whole client as a program would.
import { Bursar, OutcomeUnknownError, UnknownSubUserError, verifyWebhook } from '@bursar/client';

/** Calls all methods, and throws if a result is wrong. */
export async function walk({ BURSAR_URL: baseUrl, BURSAR_CUTTING_URL: cuttingUrl, BURSAR_TOKEN: token }) {
	const client = new Bursar({ baseUrl, token });
	expect((await client.account.retrieve()).balanceCents === 10_000, 'account.retrieve');
	expect((await client.subUsers.create('Alice')).subUser.username === 'alice', 'subUsers.create');
	expect((await client.subUsers.give('alice', 300)).balanceCents === 300, 'subUsers.give');
	expect((await client.subUsers.take('alice', 100)).balanceCents === 200, 'subUsers.take');
	const { proxyAuthkey } = await client.subUsers.resetAuthKey('alice');
	expect((await client.subUsers.retrieve('alice')).proxyAuthkey === proxyAuthkey, 'subUsers.resetAuthKey');
	for await (const { username } of client.subUsers.list()) expect(username === 'alice', 'subUsers.list');
	expect((await client.statement.list().page()).items.length === 4, 'statement.list');
	expect((await client.subUsers.retrieveUsage('alice')).length === 0, 'subUsers.retrieveUsage');
	const unknown = await client.subUsers.retrieve('nobody').catch((error) => error);
	expect(unknown instanceof UnknownSubUserError && unknown.code === 'unknown_sub_user', 'an error of its class');
	await walkLostAnswers(baseUrl, token);
	await walkCutConnection(cuttingUrl, token);
	await walkSignals(baseUrl, token);
	await walkWebhooks();
	return 'walked';
}

async function walkLostAnswers(baseUrl, token) {
	let isLost = true;
	const losing = async (url, init) => {
		const response = await fetch(url, init);
		if (!isLost || !String(url).endsWith('give_balance')) return response;
		isLost = false;
		await response.text();
		throw new TypeError('the answer is lost');
	};
	const found = await new Bursar({ baseUrl, token, fetch: losing }).subUsers.give('alice', 20);
	expect(found.balanceCents === 220 && found.confirmedBy === 'look', 'a lost answer, found by the id of the change');

	const withoutIds = async (url, init) => {
		const response = await losing(url, init);
		const bare = new Response(response.body, response);
		bare.headers.delete('X-Change-Id');
		return bare;
	};
	isLost = true;
	const client = new Bursar({ baseUrl, token, fetch: withoutIds });
	const unknown = await client.subUsers.give('alice', 50).catch((error) => error);
	const isUnknown = unknown instanceof OutcomeUnknownError || unknown.confirmedBy === 'look';
	expect(isUnknown && isLost === false, 'a service that does not honour ids');
}

/** On a connection that has been used before, some runtimes would send a request again by themselves. */
async function walkCutConnection(cuttingUrl, token) {
	const client = new Bursar({ baseUrl: cuttingUrl, token, fetch: globalThis.fetch });
	const before = (await client.subUsers.retrieve('alice')).balanceCents;
	const given = await client.subUsers.give('alice', 7);
	expect(given.confirmedBy === 'look', 'a connection that is cut is a lost answer');
	expect((await client.subUsers.retrieve('alice')).balanceCents === before + 7, 'a request that is sent once');
}

async function walkSignals(baseUrl, token) {
	const client = new Bursar({ baseUrl, token });
	const controller = new AbortController();
	const reading = client.account.retrieve({ signal: controller.signal }).catch((error) => error);
	const reason = new Error('no longer wanted');
	controller.abort(reason);
	expect((await reading) === reason, 'a call that is aborted');
	const late = await client.account.retrieve({ timeoutMs: 1, totalTimeoutMs: 1 }).catch((error) => error);
	expect(late.name === 'ConnectionError' || late.username !== undefined, 'a call that has no time');
}

/** A webhook that was signed elsewhere. */
async function walkWebhooks() {
	const secret = `whsec_${btoa('k'.repeat(32))}`;
	const body = '{"id":"evt_1","number":1,"type":"test","at":"2026-11-21T00:00:00.000Z","data":{}}';
	const headers = new Headers({
		'Webhook-Id': 'evt_1',
		'Webhook-Timestamp': '1700000000',
		'Webhook-Signature': 'v1,Xv1qbJqu/Gl1frT24fKud0cfk9y5micIXbaayIk9IEU=',
	});
	const now = new Date(1_700_000_000_000);
	expect((await verifyWebhook(body, headers, secret, { now })).id === 'evt_1', 'verifyWebhook');
	const changed = await verifyWebhook(`${body} `, headers, secret, { now }).catch((error) => error);
	expect(changed.name === 'WebhookVerificationError', 'verifyWebhook of a changed body');
}

function expect(holds, what) {
	if (!holds) throw new Error(`${what}: not as it should be`);
}
