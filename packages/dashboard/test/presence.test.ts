import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Presence } from '@bursar/contract/dashboard';
import { CallError } from '../src/calls/call.ts';
import { isProven, readPresence, sendSignedIn, setPresence } from '../src/calls/presence.ts';
import { createQueryClient } from '../src/calls/use-read.ts';

const SIGNED_OUT = { person: null } as Presence;
/** Long ago by the server's clock too, which other tests of the process may have set. */
const PROVEN_LONG_AGO = new Date(0).toISOString();

function presenceOf(email: string): Presence {
	return { person: { email, proven_until: PROVEN_LONG_AGO } } as Presence;
}

/** A page at which Ann is signed in and has read something. The service says `later` when it is asked who is signed in. */
function createPage(t: TestContext, later: Presence) {
	const client = createQueryClient();
	t.after(() => client.clear());
	t.mock.method(globalThis, 'fetch', async () =>
		Response.json({ status: 200, message: '', data: later, timestamp: 1_790_000_000 }),
	);
	setPresence(client, presenceOf('ann@acme.example'));
	client.setQueryData(['overview'], 'of Ann');
	return client;
}

test('no proof is asked for if the session has ended', async (t) => {
	const client = createPage(t, SIGNED_OUT);
	await assert.rejects(isProven(client), (error) => error instanceof CallError && error.code === 'signed_out');
	assert.equal(await isProven(createPage(t, presenceOf('ann@acme.example'))), false);
});

test('what was read stays for the same person, who signs in again', async (t) => {
	const client = createPage(t, SIGNED_OUT);
	await readPresence(client);
	setPresence(client, presenceOf('ann@acme.example'));
	assert.equal(client.getQueryData(['overview']), 'of Ann');
});

test('what was read is forgotten when another person signs in, here or in another tab', async (t) => {
	const here = createPage(t, SIGNED_OUT);
	await readPresence(here);
	setPresence(here, presenceOf('ben@zeta.example'));
	assert.equal(here.getQueryData(['overview']), undefined);

	const otherTab = createPage(t, presenceOf('ben@zeta.example'));
	await readPresence(otherTab);
	assert.equal(otherTab.getQueryData(['overview']), undefined);
});

test('a refused call is sent again for the same person, and never for another one', async (t) => {
	for (const [later, times] of [
		['ann@acme.example', 2],
		['ben@zeta.example', 1],
	] as const) {
		const sentFor: unknown[] = [];
		const sending = sendSignedIn(createPage(t, presenceOf(later)), async (email) => {
			sentFor.push(email);
			throw new CallError('signed_out', 401);
		});
		await assert.rejects(sending, CallError);
		assert.deepEqual(sentFor, Array(times).fill('ann@acme.example'));
		t.mock.restoreAll();
	}
});
