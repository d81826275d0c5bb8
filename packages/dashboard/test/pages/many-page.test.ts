import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { manyTexts, startText } from '../../src/features/many/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import {
	ALICE,
	ANN,
	button,
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
} from '../support/dashboard.ts';

const { sessionStorage } = window;

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
	return service;
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
	await screen.findByText(manyTexts.tooPoor);
	await type(manyTexts.amountEach, '1.50');
	await gone(manyTexts.tooPoor);
	assert.deepEqual(service.calls('/sub-users/give'), [], 'nothing is sent before it is begun');
	service.answers('/sub-users/give', ALICE);
	service.loses('/sub-users/give');
	await press(manyTexts.operations.give.start('$3.00', 2));
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
	await press(manyTexts.operations.suspend.start(2));
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
	fireEvent.change(await screen.findByLabelText(manyTexts.operation, { selector: 'select' }), {
		target: { value: 'create' },
	});
	const file = new File(['new.one\n'], 'names.csv', { type: 'text/csv' });
	fireEvent.change(await screen.findByLabelText(manyTexts.file), { target: { files: [file] } });
	service.loses('/sub-users/create');
	await press(manyTexts.operations.create.start(1, '$0.10'));
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
	fireEvent.change(await screen.findByLabelText(manyTexts.operation, { selector: 'select' }), {
		target: { value: 'create' },
	});
	const names = ['new.one', 'new.two', 'new.three'];
	const file = new File([['taken', ...names].join('\n')], 'names.csv', { type: 'text/csv' });
	fireEvent.change(await screen.findByLabelText(manyTexts.file), { target: { files: [file] } });
	service.refuses('/sub-users/create', 'username_taken');
	service.answers('/sub-users/create', { username: 'new', proxy_authkey: 'never kept', proxy_url: null });
	await press(startText('create', names.length + 1, 10 * (names.length + 1)));
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
