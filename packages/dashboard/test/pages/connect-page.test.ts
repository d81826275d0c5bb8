import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ProxyAccess } from '@bursar/contract/dashboard';
import { connectTexts } from '../../src/features/connect/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { secretTexts } from '../../src/secrets/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import {
	ALICE,
	ANN,
	fireEvent,
	gone,
	OLGA,
	open,
	press,
	screen,
	serviceFor,
	type,
	waitFor,
	within,
} from '../support/dashboard.ts';

const KEY = '4fQ9sLw2ZbT7xKc1';
const ACCESS: ProxyAccess = {
	proxy_urls: ['http://fra.proxy.example:3128', 'socks5://fra.proxy.example:3128', 'https://nyc.proxy.example:443'],
	options: [
		{ name: 'country', values: ['US', 'DE'] },
		{ name: 'session', values: null },
	],
};

function connect(t: TestContext, address: string, access = ACCESS, person = ANN) {
	const service = serviceFor(t, person);
	service.answers('/proxy-access', access);
	service.answers('/sub-users', { sub_users: [], next: null, previous: null, price: null });
	service.answers('/sub-user', ALICE);
	service.answers('/sub-users/show-key', ({ username }) => ({
		username: String(username),
		proxy_authkey: KEY,
		proxy_url: null,
	}));
	open(t, address);
	return service;
}

async function shownUrl(): Promise<string> {
	return (await screen.findByRole('group', { name: connectTexts.url })).textContent ?? '';
}

/** What the browser's clipboard gets. */
function clipboardOf(t: TestContext): string[] {
	const written: string[] = [];
	t.mock.method(navigator.clipboard, 'writeText', async (text: string) => void written.push(text));
	return written;
}

async function pressCopyOf(label: string): Promise<void> {
	const block = await screen.findByRole('group', { name: label });
	fireEvent.click(within(block.parentElement ?? assert.fail()).getByRole('button'));
}

async function choose(label: string, value: string): Promise<void> {
	fireEvent.change(await screen.findByLabelText(label), { target: { value } });
}

function assertNoKey(): void {
	assert.ok(!document.documentElement.outerHTML.includes(KEY), 'the key is on the page');
	assert.ok(!window.location.href.includes(KEY));
	assert.ok(!JSON.stringify({ ...localStorage, ...sessionStorage }).includes(KEY));
}

test('an account, an address, a protocol and options make a URL, whose key is hidden and is not asked for', async (t) => {
	const service = connect(t, '/connect?sub_user=alice');
	await waitFor(async () => assert.equal(await shownUrl(), 'http://alice:KEY@fra.proxy.example:3128'));
	await choose(connectTexts.protocol, 'socks5');
	await choose('country', 'DE');
	await type('session', 'a1');
	assert.equal(await shownUrl(), 'socks5://alice:KEY_country-DE_session-a1@fra.proxy.example:3128');
	await screen.findByText(connectTexts.overSocks);
	await choose(connectTexts.address, 'nyc.proxy.example:443');
	assert.equal(await shownUrl(), 'https://alice:KEY_country-DE_session-a1@nyc.proxy.example:443');
	await press(connectTexts.newSession);
	assert.match(await shownUrl(), /_session-[a-z0-9]{10}@/);
	await type('session', 'a_b');
	await screen.findByText(connectTexts.optionWrong);
	await screen.findByText(connectTexts.incomplete.options);
	assert.deepEqual(service.calls('/sub-users/show-key'), []);
});

test('the key is copied without being shown, asked for once, and is in nothing but the clipboard', async (t) => {
	const service = connect(t, '/connect');
	const copied = clipboardOf(t);
	await choose('country', 'US');
	await pressCopyOf(connectTexts.url);
	await screen.findByText(secretTexts.copied);
	assert.deepEqual(copied, [`http://acme:${KEY}_country-US@fra.proxy.example:3128`]);
	await pressCopyOf(connectTexts.colonForm);
	await waitFor(() => assert.equal(copied[1], `fra.proxy.example:3128:acme:${KEY}_country-US`));
	assertNoKey();
	assert.deepEqual(
		service.calls('/sub-users/show-key').map(({ username }) => username),
		['acme'],
	);
});

test('the key is shown when asked for, and is gone once it is hidden, the account is another one, or the page is left', async (t) => {
	const service = connect(t, '/connect');
	await press(connectTexts.showKey);
	await waitFor(async () => assert.equal(await shownUrl(), `http://acme:${KEY}@fra.proxy.example:3128`));
	await press(connectTexts.hideKey);
	await waitFor(assertNoKey);
	await press(connectTexts.showKey);
	await screen.findByText(connectTexts.shown);
	await type(connectTexts.subUser, 'alice');
	await waitFor(async () => assert.equal(await shownUrl(), 'http://alice:KEY@fra.proxy.example:3128'));
	assertNoKey();
	assert.equal(window.location.search, '?sub_user=alice');
	await press(connectTexts.showKey);
	await screen.findByText(connectTexts.shown);
	fireEvent(window, new Event('pagehide'));
	await waitFor(assertNoKey);
	assert.deepEqual(
		service.calls('/sub-users/show-key').map(({ username }) => username),
		['acme', 'acme', 'alice'],
	);
});

test('a key that cannot be read is not copied, and the page says why', async (t) => {
	const service = connect(t, '/connect');
	const copied = clipboardOf(t);
	await shownUrl();
	service.refuses('/sub-users/show-key', 'unavailable', 503);
	await pressCopyOf(connectTexts.url);
	await screen.findByRole('alert');
	assert.deepEqual(copied, []);
	await pressCopyOf(connectTexts.url);
	await waitFor(() => assert.equal(copied.length, 1));
});

test('over plain http the key is copied by an event, or the page says that it was not', async (t) => {
	connect(t, '/connect');
	t.mock.method(navigator.clipboard, 'writeText', async () => Promise.reject(new Error('not allowed')));
	const data = new DataTransfer();
	let isAllowed = false;
	// Only browsers have it.
	document.execCommand = () => {
		if (isAllowed) document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data }));
		return isAllowed;
	};
	await pressCopyOf(connectTexts.url);
	await screen.findByText(secretTexts.copyAgain);
	isAllowed = true;
	await pressCopyOf(connectTexts.url);
	await screen.findByText(secretTexts.copied);
	assert.equal(data.getData('text/plain'), `http://acme:${KEY}@fra.proxy.example:3128`);
	assertNoKey();
});

test('a name that is no sub-user has no URL', async (t) => {
	const service = connect(t, '/connect');
	await shownUrl();
	service.always('/sub-user', 'unknown_sub_user', 404);
	await type(connectTexts.subUser, 'bobby');
	await screen.findByText(connectTexts.noSuchSubUser);
	await screen.findByText(connectTexts.incomplete.sub_user);
	await type(connectTexts.subUser, 'bo');
	await gone(connectTexts.noSuchSubUser);
	assert.equal(screen.queryAllByRole('group', { name: connectTexts.url }).length, 0);
});

test('without addresses, a reseller types one', async (t) => {
	connect(t, '/connect', { proxy_urls: [], options: [] });
	await screen.findByText(connectTexts.unknownTitle);
	await screen.findByText(connectTexts.incomplete.address);
	await type(connectTexts.typedAddress, 'user:key@proxy.example:3128');
	fireEvent.blur(await screen.findByLabelText(connectTexts.typedAddress));
	await screen.findByText(connectTexts.typedAddressWrong);
	await type(connectTexts.typedAddress, '[2001:db8::1]:3128');
	assert.equal(await shownUrl(), 'http://acme:KEY@[2001:db8::1]:3128');
	await choose(connectTexts.protocol, 'socks5');
	assert.equal(await shownUrl(), 'socks5://acme:KEY@[2001:db8::1]:3128');
});

test('an operator is told what to set, and sees what resellers see, without a key', async (t) => {
	connect(t, '/connect', { proxy_urls: [], options: [] }, OLGA);
	await screen.findByText(connectTexts.unsetTitle);
	await screen.findByText(connectTexts.settingExample);
	await type(connectTexts.typedAddress, 'proxy.example:3128');
	assert.equal(await shownUrl(), 'http://username:KEY@proxy.example:3128');
	assert.equal(screen.queryAllByRole('button', { name: connectTexts.showKey }).length, 0);
	assert.equal(screen.queryAllByLabelText(connectTexts.subUser).length, 0);
});

test('the page of a sub-user leads here, with its name', async (t) => {
	const service = connect(t, '/sub-users/alice');
	service.answers('/bandwidth', bandwidthOf([]));
	service.answers('/statement', { today: null, movements: [], next_before: null, searched_to: null });
	fireEvent.click(await screen.findByRole('link', { name: subUserTexts.connect }));
	await waitFor(async () => assert.equal(await shownUrl(), 'http://alice:KEY@fra.proxy.example:3128'));
});
