import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { PasskeyQuestion } from '@bursar/contract/dashboard';
import { passkeysWorkAt } from '../../../../src/http/dashboard/factors/passkeys.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { coseKey, softwarePasskey } from '../../../support/software-passkey.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
/** What browsers say of a page in a frame of another site. */
const FRAMED = [
	{ said: { crossOrigin: true } },
	{ said: { crossOrigin: 'true' } },
	{ said: { crossOrigin: true, topOrigin: 'https://evil.example' } },
	{ said: { topOrigin: 'https://evil.example' } },
];

const dashboard = await startDashboard(wholeFile);
const { clock, publicUrl, resellerWithPerson } = dashboard;
clock.stop();

test('a person adds a passkey, and signs in and proves with it', async () => {
	const { browser, email } = await resellerWithPerson('acme');
	const { passkey, recoveryCodes } = await browser.addPasskey('  My laptop ');
	assert.equal(new Set(recoveryCodes).size, 10);
	const account = await browser.ok('/account');
	assert.deepEqual(
		account.passkeys.map(({ id, name, last_used }) => [id, name, last_used]),
		[[passkey.id, 'My laptop', null]],
	);
	assert.equal(account.recovery_codes, 10);
	// Passkeys are listed by when they were added.
	clock.aheadMs += 1;
	assert.equal((await browser.addPasskey('Second')).recoveryCodes.length, 0, 'only the first factor makes them');

	const other = dashboard.browser();
	const signedIn = await other.signInWithPasskey(passkey);
	assert.equal(signedIn.data.person.email, email);
	const { code_required, one_time_codes, has_passkey } = signedIn.data.person;
	assert.deepEqual([code_required, one_time_codes, has_passkey], [true, false, true]);
	assert.ok((await other.ok('/account')).passkeys[0]?.last_used);
	clock.aheadMs += FIVE_MINUTES_MS;
	assert.equal((await other.ok('/session')).person?.proven_until, null);
	const question = await other.ok('/proof/passkey/question', {});
	assert.deepEqual((question.allowCredentials as object[])[0], {
		...{ id: passkey.id, type: 'public-key', transports: ['hybrid', 'internal'] },
	});
	const proven = await other.ok('/proof/passkey', { response: passkey.get(question) });
	assert.ok(proven.person?.proven_until);

	await browser.refused('proof_required', '/account/passkeys/question', {});
});

test('questions ask for user verification, and name the site by its host', async (t) => {
	const dashboard = await startDashboard(t, { BURSAR_PUBLIC_URL: 'https://bursar.example' });
	const { browser } = await dashboard.resellerWithPerson('acme');
	const { passkey } = await browser.addPasskey();
	const adding = await browser.ok('/account/passkeys/question', {});
	assert.deepEqual(adding.rp, { name: 'Bursar', id: 'bursar.example' });
	assert.deepEqual(adding.authenticatorSelection, {
		residentKey: 'required',
		requireResidentKey: true,
		userVerification: 'required',
	});
	assert.deepEqual(
		(adding.excludeCredentials as { id: string }[]).map(({ id }) => id),
		[passkey.id],
	);
	const signingIn = await browser.ok('/sign-in/passkey/question', {});
	assert.equal(signingIn.rpId, 'bursar.example');
	assert.equal(signingIn.userVerification, 'required');
	assert.equal(signingIn.allowCredentials, undefined, 'a stranger learns no passkeys');
});

test('passkeys work at https, and at the own machine', () => {
	for (const [url, works] of [
		['https://bursar.example', true],
		['http://localhost:8080', true],
		['http://bursar.example', false],
		['https://192.0.2.1', false],
		['https://[2001:db8::1]', false],
	] as const) {
		assert.equal(passkeysWorkAt(url), works, url);
	}
});

test('a sign-in with a passkey is refused if anything about its answer is wrong', async () => {
	const { browser } = await resellerWithPerson('signs.in');
	const { passkey } = await browser.addPasskey();
	const stranger = dashboard.browser();
	for (const deviation of [
		{ origin: 'https://evil.example' },
		{ origin: `${publicUrl}/` },
		{ site: 'evil.example' },
		{ challenge: 'A'.repeat(72) },
		{ challenge: '' },
		{ type: 'webauthn.create' },
		{ withoutUserVerification: true },
		{ wrongKey: true },
		{ userHandle: Buffer.from(randomUUID()).toString('base64url') },
		...FRAMED,
	]) {
		const answer = await stranger.signInWithPasskey(passkey, deviation);
		assert.equal(answer.errorCode, 'passkey_refused', JSON.stringify(deviation));
	}
	const unknown = softwarePasskey(publicUrl);
	assert.equal((await stranger.signInWithPasskey(unknown)).errorCode, 'passkey_refused');
	assert.equal((await stranger.signInWithPasskey(passkey)).status, 200, 'nothing else was wrong');
});

test('a challenge is good once, for five minutes, and for what it was made for', async () => {
	const { browser } = await resellerWithPerson('challenged');
	const { passkey } = await browser.addPasskey();
	const stranger = dashboard.browser();
	const question = await stranger.ok('/sign-in/passkey/question', {});
	const response = passkey.get(question);
	await stranger.ok('/sign-in/passkey', { response });
	await dashboard.browser().refused('passkey_refused', '/sign-in/passkey', { response });
	await dashboard.browser().refused('passkey_refused', '/sign-in/passkey', { response: passkey.get(question) });

	const once = passkey.get(await stranger.ok('/sign-in/passkey/question', {}));
	const raced = await Promise.all(
		Array.from({ length: 4 }, () => dashboard.browser().ask('/sign-in/passkey', { response: once })),
	);
	assert.equal(raced.filter(({ status }) => status === 200).length, 1);

	const [forProof, forNew] = [
		await browser.ok('/proof/passkey/question', {}),
		await browser.ok('/account/passkeys/question', {}),
	];
	for (const other of [forProof, forNew]) {
		const sent = { ...other, rpId: 'localhost' };
		await stranger.refused('passkey_refused', '/sign-in/passkey', { response: passkey.get(sent) });
	}
	const forSignIn = await stranger.ok('/sign-in/passkey/question', {});
	await browser.refused('passkey_refused', '/proof/passkey', { response: passkey.get(forSignIn) });
	// A challenge for a proof belongs to one session.
	await stranger.refused('passkey_refused', '/proof/passkey', { response: passkey.get(forProof) });
	await browser.ok('/proof/passkey', { response: passkey.get(forProof) });

	const late = passkey.get(await stranger.ok('/sign-in/passkey/question', {}));
	clock.aheadMs += FIVE_MINUTES_MS;
	await stranger.refused('passkey_refused', '/sign-in/passkey', { response: late });
});

test('a new passkey is refused if anything about its answer is wrong', async () => {
	const { browser } = await resellerWithPerson('adds');
	const bolt = await resellerWithPerson('not.adds');
	const passkey = softwarePasskey(publicUrl);
	const add = async (question: PasskeyQuestion, deviation = {}) => {
		const response = passkey.create(question, deviation);
		return (await browser.ask('/account/passkeys', { act: randomUUID(), name: 'Key', response })).errorCode;
	};
	for (const deviation of [
		{ origin: 'https://evil.example' },
		{ site: 'evil.example' },
		{ challenge: 'A'.repeat(72) },
		{ type: 'webauthn.get' },
		{ withoutUserVerification: true },
		...FRAMED,
	]) {
		const question = await browser.ok('/account/passkeys/question', {});
		assert.equal(await add(question, deviation), 'passkey_refused', JSON.stringify(deviation));
	}
	assert.equal(await add(await bolt.browser.ok('/account/passkeys/question', {})), 'passkey_refused');
	const question = await browser.ok('/account/passkeys/question', {});
	// Certificates of authenticators are not looked at.
	assert.equal(await add(question, { attestation: 'fido-u2f' }), null);
	assert.equal(await add(question), 'passkey_refused', 'a challenge is good once');
	assert.equal(
		await add(await browser.ok('/account/passkeys/question', {})),
		'passkey_refused',
		'a passkey is added once',
	);
	const theirs = passkey.create(await bolt.browser.ok('/account/passkeys/question', {}));
	await bolt.browser.refused('passkey_refused', '/account/passkeys', {
		act: randomUUID(),
		name: 'Key',
		response: theirs,
	});
	assert.equal((await browser.ok('/account')).passkeys.length, 1);
	assert.equal((await bolt.browser.ok('/account')).passkeys.length, 0);
});

test('a new passkey has a sound key of an algorithm that was asked for', async () => {
	const { browser } = await resellerWithPerson('sound');
	const add = async (key: ReturnType<typeof coseKey>) => {
		const passkey = softwarePasskey(publicUrl);
		const response = passkey.create(await browser.ok('/account/passkeys/question', {}), { key });
		return (await browser.ask('/account/passkeys', { act: randomUUID(), name: 'Key', response })).errorCode;
	};
	const p256 = coseKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
	const p384 = coseKey(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey);
	const ed25519 = coseKey(generateKeyPairSync('ed25519').publicKey);
	const rsa = (bits: number) => coseKey(generateKeyPairSync('rsa', { modulusLength: bits }).publicKey);
	const [rsa2048, x, y] = [rsa(2048), p256.get(-2) as Buffer, p256.get(-3) as Buffer];
	for (const key of [p256, ed25519, rsa2048]) assert.equal(await add(key), null);
	for (const [what, key] of [
		['a point beside the curve', changed(p256, [-3, x])],
		['a point at infinity', changed(p256, [-2, Buffer.alloc(32)], [-3, Buffer.alloc(32)])],
		['half a point', changed(p256, [-3, 1])],
		['a point that is too short', changed(p256, [-2, x.subarray(1)], [-3, y.subarray(1)])],
		['another curve', changed(p384, [-1, 2])],
		['the name of another curve', changed(p256, [-1, 2])],
		['Ed25519 that is too short', changed(ed25519, [-2, Buffer.alloc(31)])],
		['the curve of another key', changed(ed25519, [-1, 4])],
		['RSA of 512 bits', rsa(512)],
		['RSA of 2040 bits', rsa(2040)],
		[
			'RSA with zeros before it',
			changed(rsa(1024), [-1, Buffer.concat([Buffer.alloc(128), rsa(1024).get(-1) as Buffer])]),
		],
		['RSA whose exponent is 1', changed(rsa2048, [-2, Buffer.from([1])])],
		['RSA without an exponent', changed(rsa2048, [-2, 0])],
		['an algorithm that was not asked for', changed(rsa2048, [3, -259])],
		['the algorithm of another key', changed(p256, [3, -8])],
	] as const) {
		assert.equal(await add(key), 'passkey_refused', what);
	}
});

test('a passkey that counts backwards is a copy, and is refused', async () => {
	const { browser } = await resellerWithPerson('counted');
	const { passkey } = await browser.addPasskey();
	const stranger = dashboard.browser();
	const early = passkey.get(await stranger.ok('/sign-in/passkey/question', {}));
	assert.equal((await stranger.signInWithPasskey(passkey)).status, 200);
	await dashboard.browser().refused('passkey_refused', '/sign-in/passkey', { response: early });
});

test('passkeys are named, renamed and removed, each by its owner only', async () => {
	const { browser } = await resellerWithPerson('named');
	const bolt = await resellerWithPerson('not.named');
	const { passkey } = await browser.addPasskey();
	const { id } = passkey;
	const rename = { act: randomUUID(), id, name: '<script>alert(1)</script> 🔑' };
	assert.equal((await browser.ok('/account/passkeys/rename', rename)).passkeys[0]?.name, rename.name);
	await browser.refused('act_repeated', '/account/passkeys/rename', { ...rename, name: 'Again' });
	for (const name of ['', '  ', 'x'.repeat(65), 'a\u0000b', 'a\u202eb', '\ud800', 'a\nb', '\u3164']) {
		await browser.refused('invalid_request', '/account/passkeys/rename', { act: randomUUID(), id, name });
	}
	await bolt.browser.refused('not_found', '/account/passkeys/rename', { act: randomUUID(), id, name: 'Mine' });
	await bolt.browser.refused('not_found', '/account/passkeys/remove', { act: randomUUID(), id });
	assert.equal((await browser.ok('/account')).passkeys[0]?.name, rename.name);

	const removed = await browser.ok('/account/passkeys/remove', { act: randomUUID(), id });
	assert.deepEqual([removed.passkeys, removed.recovery_codes], [[], 0]);
	assert.equal((await dashboard.browser().signInWithPasskey(passkey)).errorCode, 'passkey_refused');
});

test('answers that no passkey gives are invalid requests, or are refused', async () => {
	const { browser } = await resellerWithPerson('answers');
	const { passkey } = await browser.addPasskey();
	const good = passkey.get(await browser.ok('/sign-in/passkey/question', {}));
	for (const response of [
		null,
		[],
		{},
		{ ...good, id: 'a'.repeat(1365) },
		{ ...good, id: "' OR 1=1 --" },
		{ ...good, id: '\u0000' },
		{ ...good, type: 'password' },
		{ ...good, response: null },
		{ ...good, response: { ...good.response, signature: 7 } },
		{ ...good, response: { ...good.response, clientDataJSON: '{"' } },
	]) {
		await dashboard.browser().refused('invalid_request', '/sign-in/passkey', { response });
	}
	const nested = Buffer.alloc(8_000, 0x81).toString('base64url');
	for (const response of [
		{ ...good, rawId: 'AAAA' },
		{ ...good, response: { ...good.response, authenticatorData: '' } },
		{ ...good, response: { ...good.response, authenticatorData: nested } },
		{ ...good, response: { ...good.response, clientDataJSON: '' } },
		{ ...good, response: { ...good.response, signature: '' } },
	]) {
		await dashboard.browser().refused('passkey_refused', '/sign-in/passkey', { response });
	}
	const added = softwarePasskey(publicUrl).create(await browser.ok('/account/passkeys/question', {}));
	for (const attestationObject of ['', 'AAAA', nested]) {
		const response = { ...added, response: { ...added.response, attestationObject } };
		await browser.refused('passkey_refused', '/account/passkeys', { act: randomUUID(), name: 'Key', response });
	}
});

function changed(key: ReturnType<typeof coseKey>, ...entries: [number, Buffer | number][]): ReturnType<typeof coseKey> {
	return new Map([...key, ...entries]);
}
