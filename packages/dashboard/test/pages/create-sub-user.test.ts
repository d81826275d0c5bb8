import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actTexts } from '../../src/acts/texts.ts';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { usernameTexts } from '../../src/forms/texts.ts';
import { pageTexts } from '../../src/page/texts.ts';
import {
	ALICE,
	ANN,
	button,
	dialog,
	fireEvent,
	gone,
	OVERVIEW,
	open,
	presenceOf,
	press,
	screen,
	serviceFor,
	type,
	waitFor,
} from '../support/dashboard.ts';

const PAIR = { username: 'new.one', proxy_authkey: 'abcdefgh12345678', proxy_url: 'http://proxy.example:3128' };

const OWN: Readonly<Record<string, 'taken' | 'deleted'>> = { 'own.one': 'taken', 'old.one': 'deleted' };

async function aboutToCreate(t: TestContext) {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users', { sub_users: [], next: null, previous: null, price: null });
	service.answers('/sub-users/count', { count: 0, before: 0 });
	service.answers('/overview', { ...OVERVIEW, balance: 10_000 });
	service.answers('/sub-users/create', PAIR);
	service.answers('/sub-users/name', ({ username }) => ({ own: OWN[String(username)] ?? null }));
	service.always('/sub-user', 'unknown_sub_user', 404);
	open(t, '/sub-users');
	await press(subUserTexts.create);
	return service;
}

async function isDisabled(name: string): Promise<boolean> {
	return ((await button(name)) as HTMLButtonElement).disabled;
}

test('a name is checked while it is typed', async (t) => {
	await aboutToCreate(t);
	for (const [name, said] of [
		['ab', usernameTexts.problems.short],
		['a..b', usernameTexts.problems.adjacent],
		['_abc', usernameTexts.problems.start],
		['abcd_', usernameTexts.problems.end],
		['a'.repeat(33), usernameTexts.problems.long],
		['<script>', usernameTexts.problems.characters],
	] as const) {
		await type(subUserTexts.username, name);
		await screen.findByText(said);
		assert.ok(await isDisabled(subUserTexts.createNow), name);
	}
	await type(subUserTexts.username, 'New.One');
	await screen.findByText(new RegExp(usernameTexts.willBe('new.one')));
	assert.ok(!(await isDisabled(subUserTexts.createNow)));
});

test('a name that is known to be taken is not paid for again, and the next try is another act', async (t) => {
	const service = await aboutToCreate(t);
	await type(subUserTexts.username, 'taken.one');
	service.refuses('/sub-users/create', 'username_taken');
	await press(subUserTexts.createNow);
	await screen.findByText(subUserTexts.taken.happened);
	assert.ok(await isDisabled(subUserTexts.createNow));
	await type(subUserTexts.username, 'TAKEN.one');
	assert.ok(await isDisabled(subUserTexts.createNow), 'in capitals it is the same name');
	await type(subUserTexts.username, 'new.one');
	await gone(subUserTexts.taken.happened);
	await press(subUserTexts.createNow);
	await dialog(subUserTexts.createdTitle('new.one'));
	const [first, second] = service.calls('/sub-users/create');
	assert.notEqual(first?.act, second?.act);
});

test('a name that the reseller has or had is known while it is typed, and is not paid for', async (t) => {
	const service = await aboutToCreate(t);
	for (const [name, text] of [
		['OWN.one', subUserTexts.own],
		['old.one', subUserTexts.deleted],
	] as const) {
		await type(subUserTexts.username, name);
		await screen.findByText(text.happened);
		assert.ok(await isDisabled(subUserTexts.createNow));
		// Also if it is sent before the look is done.
		await type(subUserTexts.username, '');
		await gone(text.happened);
		await type(subUserTexts.username, name);
		await press(subUserTexts.createNow);
		await screen.findByText(text.happened);
	}
	assert.deepEqual(service.calls('/sub-users/create'), []);
});

test('of a name that looks free, the page says what it cannot know, and what the try costs', async (t) => {
	const service = await aboutToCreate(t);
	await type(subUserTexts.username, 'new.one');
	await screen.findByText(`${usernameTexts.isWellFormed} ${subUserTexts.maybeFree}`);
	assert.deepEqual(service.calls('/sub-users/name'), [{ username: 'new.one' }]);
});

test('a new sub-user can have balance, limits and a note; what is empty is not sent, and what is wrong stops it', async (t) => {
	const service = await aboutToCreate(t);
	await type(subUserTexts.username, 'new.one');
	for (const [label, wrong, right] of [
		[subUserTexts.gift, '25.001', '25.00'],
		[termsTexts.inGb.total_bytes, '0', '10'],
		[termsTexts.note, 'x'.repeat(201), ' order 7 '],
	] as const) {
		await type(label, wrong);
		await waitFor(async () =>
			assert.ok((await screen.findByRole('button', { name: /^Create for/ })).matches(':disabled')),
		);
		await type(label, right);
	}
	await press(subUserTexts.createAndGive('$25.00'));
	await dialog(subUserTexts.createdTitle('new.one'));
	const [{ act: _, ...sent } = {}] = service.calls('/sub-users/create');
	const limits = { total_bytes: 10_000_000_000 };
	assert.deepEqual(sent, { username: 'new.one', amount: 2_500, limits, note: 'order 7' });
});

test('fee and amount are added up before, and nothing is sent that the balance does not cover', async (t) => {
	const service = await aboutToCreate(t);
	await type(subUserTexts.username, 'new.one');
	const costs = async (total: string, after: string | undefined) => {
		const facts = (await screen.findByText(subUserTexts.costs)).closest('dl')?.textContent ?? '';
		assert.match(facts, new RegExp(`\\$100\\.00.*\\${total}${after === undefined ? '$' : `.*\\${after}$`}`));
	};
	await costs('$0.10', '$99.90');
	await type(subUserTexts.gift, '99.90');
	await costs('$100.00', '$0.00');
	assert.ok(!(await isDisabled(subUserTexts.createAndGive('$99.90'))));
	await type(subUserTexts.gift, '99.91');
	await costs('$100.01', undefined);
	await screen.findByText(subUserTexts.poor);
	assert.ok(await isDisabled(subUserTexts.createAndGive('$99.91')));
	assert.deepEqual(service.calls('/sub-users/create'), []);
});

test('if bandwidth has a price, the page says that the proxies refuse a sub-user without a balance, before and after', async (t) => {
	const service = await aboutToCreate(t);
	service.answers('/overview', { ...OVERVIEW, balance: 10_000, price: 3_500_000 });
	fireEvent.keyDown(await dialog(subUserTexts.create), { key: 'Escape' });
	await press(subUserTexts.create);
	const refused = subUserTexts.refusedWithoutBalance('$3.50');
	await screen.findByText(refused);
	await type(subUserTexts.gift, '1.00');
	await gone(refused);
	await type(subUserTexts.gift, '');
	await type(subUserTexts.username, 'new.one');
	await press(subUserTexts.createNow);
	await dialog(subUserTexts.createdTitle('new.one'));
	await screen.findByText(refused);
	await press(subUserTexts.createAnother);
	await type(subUserTexts.username, 'new.two');
	await type(subUserTexts.gift, '1.00');
	await press(subUserTexts.createAndGive('$1.00'));
	await dialog(subUserTexts.createdTitle('new.one'));
	assert.equal(screen.queryByText(refused), null);
});

test('a sub-user is not created if the look for its name fails', async (t) => {
	const service = await aboutToCreate(t);
	service.always('/sub-users/name', 'signed_out', 401);
	service.answers('/session', presenceOf(null));
	await type(subUserTexts.username, 'new.one');
	await press(subUserTexts.createNow);
	await screen.findByText(failureTexts.signed_out.todo);
	assert.deepEqual(service.calls('/sub-users/create'), []);
});

test('while the name is looked for, the dialog stays, so that nothing is created after it was closed', async (t) => {
	const service = await aboutToCreate(t);
	// One is the look while the name is typed.
	const looks = [service.holds('/sub-users/name'), service.holds('/sub-users/name')];
	await type(subUserTexts.username, 'new.one');
	await press(subUserTexts.createNow);
	fireEvent.keyDown(await dialog(subUserTexts.create), { key: 'Escape' });
	assert.ok(await isDisabled(actTexts.cancel));
	assert.deepEqual(service.calls('/sub-users/create'), []);
	for (const look of looks) look({ own: null });
	await dialog(subUserTexts.createdTitle('new.one'));
});

test('the new pair is shown as programs ask for it, with what to do next, and is gone when the dialog closes', async (t) => {
	await aboutToCreate(t);
	await type(subUserTexts.username, 'new.one');
	await press(subUserTexts.createNow);
	const { proxy_authkey: key } = PAIR;
	for (const [form, text] of [
		[subUserTexts.keyForm, key],
		[subUserTexts.userAndKeyForm, `new.one:${key}`],
		[subUserTexts.proxyUrlForm, `http://new.one:${key}@proxy.example:3128`],
		[subUserTexts.curlForm, `curl -x http://new.one:${key}@proxy.example:3128 https://example.com/`],
	] as const) {
		assert.equal((await screen.findByRole('group', { name: form })).textContent, text);
	}
	const connect = await screen.findByRole('link', { name: subUserTexts.connectProgram });
	assert.match(connect.getAttribute('href') ?? '', /\/connect\?sub_user=new\.one$/);
	for (const next of [subUserTexts.openPage, subUserTexts.createAnother]) await button(next);
	await press(subUserTexts.done);
	await waitFor(() => assert.ok(!document.documentElement.outerHTML.includes(key)));
});

test('a lost create is looked for: it was done, or its name was taken', async (t) => {
	const service = await aboutToCreate(t);
	service.answers('/sub-user', { ...ALICE, username: 'lost.one' });
	await type(subUserTexts.username, 'Lost.One');
	for (const isDone of [true, false]) {
		service.loses('/sub-users/create');
		await press(subUserTexts.createNow);
		await screen.findByText(actTexts.lostAct);
		service.refuses('/sub-users/create', 'act_repeated');
		if (!isDone) service.refuses('/sub-user', 'unknown_sub_user', 404);
		await press(pageTexts.retry);
		const [beginning = ''] = subUserTexts.repeatedCreate('lost.one', '').split(',');
		await screen.findByText(isDone ? new RegExp(`^${beginning}`) : subUserTexts.repeatedTaken('lost.one'));
		if (!isDone) return;
		fireEvent.keyDown(await dialog(actTexts.lostTitle), { key: 'Escape' });
		await gone(actTexts.lostTitle);
		await press(subUserTexts.create);
		await type(subUserTexts.username, 'Lost.One');
	}
});
