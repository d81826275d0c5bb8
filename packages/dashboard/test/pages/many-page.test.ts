import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actTexts } from '../../src/acts/texts.ts';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import type { OperationName } from '../../src/features/many/operations.ts';
import { manyTexts, startText } from '../../src/features/many/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { fileTexts } from '../../src/forms/texts.ts';
import {
	ALICE,
	ANN,
	button,
	cleanup,
	dialog,
	fireEvent,
	gone,
	NOTHING_USED,
	OVERVIEW,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
	waitFor,
	within,
} from '../support/dashboard.ts';

const { sessionStorage } = window;

const KNOWN = [
	{ username: 'alice', balance: 250, state: 'active' },
	{ username: 'bobby', balance: 100, state: 'suspended' },
] as const;

function start(t: TestContext) {
	sessionStorage.clear();
	t.after(() => sessionStorage.clear());
	const service = serviceFor(t, ANN);
	const row = { balance: 0, opens: null, up: 0, down: 0, used: NOTHING_USED, created: ALICE.created, note: '' };
	service.answers('/sub-users', {
		sub_users: [
			{ ...row, username: 'alice', state: 'active' },
			{ ...row, username: 'bobby', state: 'suspended' },
		],
		next: null,
		previous: null,
		price: null,
	});
	service.answers('/sub-users/count', { count: 2, before: 0 });
	service.answers('/sub-user', ALICE);
	service.answers('/overview', { ...OVERVIEW, balance: 500 });
	service.answers('/sub-users/look', ({ usernames }) => ({
		sub_users: KNOWN.filter(({ username }) => (usernames as string[]).includes(username)),
		used: ['ended'],
	}));
	return service;
}

/** Presses the button that begins, once it can be pressed. */
async function begin(name: string): Promise<void> {
	await waitFor(async () => assert.ok(!(await isDisabled(name)), `${name} is disabled`));
	await press(name);
}

async function isDisabled(name: string): Promise<boolean> {
	return (await button(name)).getAttribute('aria-disabled') === 'true';
}

async function chooseFile(operation: OperationName, text: string): Promise<void> {
	fireEvent.change(await screen.findByLabelText(manyTexts.operation, { selector: 'select' }), {
		target: { value: operation },
	});
	const file = new File([text], 'lines.csv', { type: 'text/csv' });
	fireEvent.change(await screen.findByLabelText(manyTexts.file), { target: { files: [file] } });
}

async function select(...names: readonly string[]): Promise<void> {
	for (const name of names) fireEvent.click(await screen.findByLabelText(subUserTexts.select(name)));
}

test('selected rows are given balance, each with an act of its own; a lost one is asked for again', async (t) => {
	const service = start(t);
	open(t, '/sub-users');
	await select('alice', 'bobby');
	await press(subUserTexts.selectionActs.give);
	await type(manyTexts.amountEach, '3.00');
	await screen.findByText(manyTexts.concerns.suspended.happened(1));
	await press(manyTexts.sendNevertheless(1));
	await screen.findByText(manyTexts.tooPoor);
	await type(manyTexts.amountEach, '1.50');
	await gone(manyTexts.tooPoor);
	assert.deepEqual(service.calls('/sub-users/give'), [], 'nothing is sent before it is begun');
	service.answers('/sub-users/give', ALICE);
	service.loses('/sub-users/give');
	await begin(manyTexts.operations.give.start('$3.00', 2));
	await screen.findByText(manyTexts.interrupted);
	await screen.findByText(manyTexts.outcomes.unknown);
	const sent = service.calls('/sub-users/give');
	assert.deepEqual(sent.map(({ username, amount }) => `${username} ${amount}`).toSorted(), ['alice 150', 'bobby 150']);
	const [first, second] = sent;
	assert.notEqual(first?.act, second?.act);
	service.always('/sub-users/give', 'act_repeated', 409);
	await press(manyTexts.goOn(1));
	await screen.findByText(manyTexts.allDone);
	const [, , again] = service.calls('/sub-users/give');
	assert.deepEqual(again, first, 'the same act is sent again');

	// What has ended makes room for what is selected next.
	fireEvent.click(await screen.findByRole('link', { name: new RegExp(manyTexts.toList) }));
	await select('bobby');
	await press(subUserTexts.selectionActs.suspend);
	await button(manyTexts.operations.suspend.start(1));
});

test('a run that a reload has cut off is found again, for the same person only', async (t) => {
	const service = start(t);
	open(t, '/sub-users');
	await select('alice', 'bobby');
	await press(subUserTexts.selectionActs.suspend);
	service.holds('/sub-users/suspend');
	service.answers('/sub-users/suspend', ALICE);
	await begin(manyTexts.operations.suspend.start(2));
	await waitFor(() => assert.equal(service.calls('/sub-users/suspend').length, 2));
	const kept = sessionStorage.getItem('bursar.many') ?? '';
	const { isSettled, email } = JSON.parse(kept);
	assert.deepEqual([isSettled, email], [false, ANN.email], 'it is kept before the first line is sent');

	sessionStorage.setItem('bursar.many', kept.replace(ANN.email, 'ben@acme.example'));
	const { findRun } = await import('../../src/features/many/kept-run.ts');
	assert.equal(findRun(ANN.email), undefined);
	assert.ok(findRun('ben@acme.example')?.lines.every(({ outcome }) => outcome.state === 'unknown'));
	for (const broken of ['', '{', 'null', '5', '{"email":1}']) {
		sessionStorage.setItem('bursar.many', broken);
		assert.equal(findRun(ANN.email), undefined, broken);
	}
});

test('create: a name that was taken is not called done after its answer was lost', async (t) => {
	const service = start(t);
	open(t, '/many-sub-users');
	await chooseFile('create', 'new.one\n');
	service.loses('/sub-users/create');
	await begin(manyTexts.operations.create.start(1, '$0.10'));
	await screen.findByText(manyTexts.outcomes.unknown);
	service.always('/sub-users/create', 'act_repeated', 409);
	service.refuses('/sub-user', 'unknown_sub_user', 404);
	await press(manyTexts.goOn(1));
	await screen.findByText(manyTexts.ended);
	await screen.findByText(new RegExp(`^${manyTexts.outcomes.refused}: `));
});

test('create: the keys of what was created are saved as a file once', async (t) => {
	const service = start(t);
	const files: Blob[] = [];
	t.mock.method(URL, 'createObjectURL', (file: Blob) => `blob:${files.push(file)}`);
	// The browser of these tests would go to the address of the file.
	t.mock.method(window.HTMLAnchorElement.prototype, 'click', () => {});
	open(t, '/many-sub-users');
	const names = ['new.one', 'new.two', 'new.three'];
	await chooseFile('create', ['taken', ...names].join('\n'));
	service.refuses('/sub-users/create', 'username_taken');
	service.answers('/sub-users/create', { username: 'new', proxy_authkey: 'never kept', proxy_url: null });
	await begin(startText('create', names.length + 1, 10 * (names.length + 1)));
	await screen.findByText(manyTexts.ended);
	assert.deepEqual(service.calls('/sub-users/show-keys'), [], 'nothing is asked before the person wants it');

	service.answers('/sub-users/show-keys', ({ usernames }) => ({
		keys: (usernames as string[])
			.filter((username) => username !== 'new.two')
			.map((username) => ({ username, proxy_authkey: `=key of ${username}` })),
	}));
	service.refuses('/sub-users/show-keys', 'unavailable', 503);
	await press(manyTexts.keysFile(names.length));
	await screen.findByText(failureTexts.unavailable.happened);
	assert.equal(files.length, 0);
	await press(manyTexts.keysFile(names.length));
	await screen.findByText(new RegExp(manyTexts.keysMissing(1)));
	const [failed, asked, ...more] = service.calls('/sub-users/show-keys');
	assert.deepEqual([asked?.usernames, more], [names, []]);
	assert.notEqual(asked?.act, failed?.act);
	const text = (await files[0]?.text()) ?? '';
	const rows = text.replace('\ufeff', '').split('\r\n');
	assert.deepEqual(rows, ['username,proxy_authkey', "new.one,'=key of new.one", "new.three,'=key of new.three", '']);
	await gone(manyTexts.keysFile(names.length));
	assert.doesNotMatch(sessionStorage.getItem('bursar.many') ?? '', /never kept|key of/);
});

test('a file is sent only after its doubtful lines were decided, and without those that are left out', async (t) => {
	const service = start(t);
	open(t, '/many-sub-users');
	await chooseFile('give', 'username;amount_usd\nalice;1,00\nnobody;1,00\nalice;2,00\nbobby;0,50\n');
	const startAll = startText('give', 4, 450);
	await screen.findByText(manyTexts.concerns.twice.happened(1));
	await press(startAll);
	await screen.findByText(manyTexts.decide);
	assert.ok(await isDisabled(startAll));
	assert.deepEqual(service.calls('/sub-users/look'), [{ usernames: ['alice', 'nobody', 'bobby'] }]);
	const press1 = async (concern: string, choice: string) => {
		const group = await screen.findByRole('group', { name: concern });
		fireEvent.click(within(group).getByRole('button', { name: choice }));
		return group.textContent;
	};
	const { unknown, twice, suspended } = manyTexts.concerns;
	await press1(unknown.happened(1), manyTexts.leaveOut(1));
	assert.match((await press1(twice.happened(1), manyTexts.leaveOut(1))) ?? '', /alice.*2/s);
	await press1(suspended.happened(1), manyTexts.sendNevertheless(1));
	service.answers('/sub-users/give', ALICE);
	await begin(startText('give', 2, 150));
	await screen.findByText(manyTexts.allDone);
	assert.deepEqual(
		service
			.calls('/sub-users/give')
			.map(({ username, amount }) => `${username} ${amount}`)
			.toSorted(),
		['alice 100', 'bobby 50'],
	);
});

test('new sub-users of a file are sent with all that their lines say, and the fees and gifts are added up', async (t) => {
	const service = start(t);
	open(t, '/many-sub-users');
	await chooseFile(
		'create',
		'username,amount_usd,day_bytes,note,expires_at\nnew.one,2.00,2GB,VIP,2126-12-31T23:00:00Z\nalice,1.00,,,\nnew.two,,,,\n',
	);
	await press(manyTexts.leaveOut(1));
	service.answers('/sub-users/create', { username: 'new', proxy_authkey: 'never kept', proxy_url: null });
	await screen.findByText(`${termsTexts.limitNames.day_bytes}: 2 GB`);
	await begin(startText('create', 2, 220));
	await screen.findByText(manyTexts.allDone);
	const bodies = service.calls('/sub-users/create').map(({ act: _, ...body }) => body);
	const limits = { day_bytes: 2_000_000_000, expires_at: '2126-12-31T23:00:00.000Z' };
	assert.deepEqual(bodies, [{ username: 'new.one', amount: 200, limits, note: 'VIP' }, { username: 'new.two' }]);
});

test('to delete many, their number has to be typed; what comes back is said before', async (t) => {
	const service = start(t);
	open(t, '/sub-users');
	await select('alice', 'bobby');
	await press(subUserTexts.selectionActs.delete);
	const { start: startTexts } = manyTexts.operations.delete;
	await screen.findByText('$3.50');
	for (const [typed, isRight] of [
		['', false],
		['1', false],
		['2', true],
	] as const) {
		await type(manyTexts.typeCount('2'), typed);
		assert.equal(await isDisabled(startTexts(2)), !isRight, typed);
	}
	service.answers('/sub-users/delete', { username: 'alice', returned: 0 });
	await begin(startTexts(2));
	await screen.findByText(manyTexts.allDone);
	assert.equal(service.calls('/sub-users/delete').length, 2);
});

test('new keys of many come as a file, and are kept nowhere', async (t) => {
	const service = start(t);
	open(t, '/sub-users');
	await select('alice');
	await press(subUserTexts.selectionActs.reset_key);
	service.answers('/sub-users/reset-key', { username: 'alice', proxy_authkey: 'never kept', proxy_url: null });
	await begin(manyTexts.operations.reset_key.start(1));
	await button(manyTexts.keysFile(1));
	assert.doesNotMatch(sessionStorage.getItem('bursar.many') ?? '', /never kept/);
	assert.ok(!document.documentElement.outerHTML.includes('never kept'));
});

test('a selection says how many of it are not on the page, takes all that match, and ends with another filter', async (t) => {
	const service = start(t);
	service.answers('/sub-users/count', { count: 150, before: 0 });
	const names = Array.from({ length: 150 }, (_, index) => `user.${100 + index}`);
	service.answers('/sub-users/names', { usernames: ['alice', 'bobby', ...names.slice(2)], has_more: false });
	open(t, '/sub-users?search=a&match=anywhere');
	await select('alice');
	await screen.findByText(subUserTexts.selected(1));
	await press(subUserTexts.selectMatching(150));
	await screen.findByText(`${subUserTexts.selected(150)}, ${subUserTexts.notOnThisPage(148)}`);
	assert.deepEqual(service.calls('/sub-users/names'), [{ search: 'a', match: 'anywhere' }]);
	await type(subUserTexts.stateFilter, 'suspended');
	await gone(`${subUserTexts.selected(150)}, ${subUserTexts.notOnThisPage(148)}`);
	await type(subUserTexts.stateFilter, '');
	await waitFor(() => assert.equal(window.location.search, '?search=a&match=anywhere'));
	assert.equal(screen.queryByRole('group', { name: subUserTexts.selection }), null, 'it does not come back');
	const box = await screen.findByLabelText(subUserTexts.select('alice'));
	assert.equal((box as HTMLInputElement).checked, false);
});

test('of a suspended reseller, all that changes something looks disabled and says why', async (t) => {
	const service = start(t);
	service.answers('/suspension', { since: ALICE.created });
	open(t, '/sub-users/alice');
	const reason = actTexts.resellerSuspended;
	await waitFor(async () => assert.equal((await button(subUserTexts.give)).title, reason));
	for (const name of [
		subUserTexts.give,
		subUserTexts.take,
		termsTexts.suspend,
		termsTexts.setLimits,
		termsTexts.delete,
	]) {
		assert.ok(await isDisabled(name), name);
		await press(name);
	}
	assert.equal(screen.queryByRole('dialog'), null);
	cleanup();
	open(t, '/many-sub-users');
	await chooseFile('take', 'alice,1.00\n');
	await screen.findByText(reason, { selector: 'p' });
	assert.ok(await isDisabled(startText('take', 1, 100)));
});

test('a file can be dropped, one at a time, and its name is shown', async (t) => {
	start(t);
	open(t, '/many-sub-users');
	const input = await screen.findByLabelText(manyTexts.file);
	const zone = input.closest('label') ?? assert.fail();
	const file = (name: string) => new File(['alice,1.00\n'], name, { type: 'text/csv' });
	fireEvent.drop(zone, { dataTransfer: { files: [file('a.csv'), file('b.csv')] } });
	await screen.findByText(fileTexts.onlyOne);
	fireEvent.drop(zone, { dataTransfer: { files: [file('a.csv')] } });
	await screen.findByText('a.csv');
	await gone(fileTexts.onlyOne);
	await screen.findByText(fileTexts.chooseAnother);
});

test('the menu of a row asks before it deletes: the whole name has to be typed', async (t) => {
	const service = start(t);
	service.answers('/sub-user', { ...ALICE, balance: 1_230 });
	service.answers('/sub-users/delete', { username: 'alice', returned: 1_230 });
	open(t, '/sub-users');
	await press(termsTexts.menu('alice'));
	fireEvent.click(await screen.findByRole('menuitem', { name: termsTexts.deleteMenu }));
	const title = termsTexts.deleteTitle('alice');
	await dialog(title);
	await screen.findByText(termsTexts.comesBack('$12.30'));
	for (const [typed, isRight] of [
		['', false],
		['alic', false],
		['Alice', true],
	] as const) {
		await type(termsTexts.typeName('alice'), typed);
		assert.equal(((await button(termsTexts.deleteNow)) as HTMLButtonElement).disabled, !isRight, typed);
	}
	await pressInDialog(title, termsTexts.deleteNow);
	await screen.findByText(termsTexts.deleted('alice', '$12.30'));
	assert.equal(service.calls('/sub-users/delete').length, 1);
});
