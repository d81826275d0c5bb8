// Runs on every runtime and uses the whole client as a program would.
import { BursarClient, OutcomeUnknownError, UnknownSubUserError } from '@bursar/client';

/** Calls all methods, and throws if a result is wrong. */
export async function walk({ BURSAR_URL: baseUrl, BURSAR_CUTTING_URL: cuttingUrl, BURSAR_TOKEN: token }) {
	const client = new BursarClient({ baseUrl, token, settleMs: 200 });
	expect((await client.myInfo()).balanceCents === 10_000, 'myInfo');
	expect((await client.createSubUser('Alice')).subUser.username === 'alice', 'createSubUser');
	expect((await client.giveBalance('alice', 300)).balanceCents === 300, 'giveBalance');
	expect((await client.takeBalance('alice', 100, { soleWriter: true })).balanceCents === 200, 'takeBalance');
	const { proxyAuthkey } = await client.resetAuthKey('alice');
	expect((await client.viewSubUser('alice')).proxyAuthkey === proxyAuthkey, 'resetAuthKey');
	expect((await client.viewAllSubUsers()).length === 1, 'viewAllSubUsers');
	expect((await client.viewUsage('alice')).length === 0, 'viewUsage');
	const unknown = await client.viewSubUser('nobody').catch((error) => error);
	expect(unknown instanceof UnknownSubUserError && unknown.code === 'unknown_sub_user', 'an error of its class');
	await walkLostAnswers(baseUrl, token);
	await walkCutConnection(cuttingUrl, token);
	await walkSignals(baseUrl, token);
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
	const found = await new BursarClient({ baseUrl, token, fetch: losing }).giveBalance('alice', 20);
	expect(found.balanceCents === 220 && found.confirmedBy === 'look', 'a lost answer, found by the id of the change');

	const withoutIds = async (url, init) => {
		const response = await losing(url, init);
		const bare = new Response(response.body, response);
		bare.headers.delete('X-Change-Id');
		return bare;
	};
	const client = new BursarClient({ baseUrl, token, settleMs: 200, fetch: withoutIds });
	isLost = true;
	const given = await client.giveBalance('alice', 30, { soleWriter: true });
	expect(given.balanceCents === 250 && given.confirmedBy === 'look', 'a lost answer that is judged');
	isLost = true;
	const unknown = await client.giveBalance('alice', 50).catch((error) => error);
	expect(unknown instanceof OutcomeUnknownError && unknown.known.balanceAfterCents === 300, 'one that is not');
}

/** On a connection that has been used before, some runtimes would send a request again by themselves. */
async function walkCutConnection(cuttingUrl, token) {
	const client = new BursarClient({ baseUrl: cuttingUrl, token, settleMs: 200, fetch: globalThis.fetch });
	const before = (await client.viewSubUser('alice')).balanceCents;
	const given = await client.giveBalance('alice', 7, { soleWriter: true });
	expect(given.confirmedBy === 'look', 'a connection that is cut is a lost answer');
	expect((await client.viewSubUser('alice')).balanceCents === before + 7, 'a request that is sent once');
}

async function walkSignals(baseUrl, token) {
	const client = new BursarClient({ baseUrl, token });
	const controller = new AbortController();
	const reading = client.myInfo({ signal: controller.signal }).catch((error) => error);
	const reason = new Error('no longer wanted');
	controller.abort(reason);
	expect((await reading) === reason, 'a call that is aborted');
	const late = await client.myInfo({ timeoutMs: 1, totalTimeoutMs: 1 }).catch((error) => error);
	expect(late.name === 'ConnectionError' || late.username !== undefined, 'a call that has no time');
}

function expect(holds, what) {
	if (!holds) throw new Error(`${what}: not as it should be`);
}
