import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actTexts } from '../../src/acts/texts.ts';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { signInTexts } from '../../src/features/sign-in/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import {
	ALICE,
	ANN,
	button,
	dialog,
	fireEvent,
	gone,
	open,
	presenceOf,
	press,
	screen,
	serviceFor,
	type,
	within,
} from '../support/dashboard.ts';

const BEFORE = { ...ALICE, balance: 1000, reseller_balance: 5000 };
const GIVEN = { ...ALICE, balance: 1123, reseller_balance: 4877 };
const GIVE = subUserTexts.moveNow.give('$1.23');

/** The page of a sub-user, with the dialog that gives 1.23 dollars. */
async function aboutToGive(t: TestContext) {
	const service = serviceFor(t, ANN);
	service.answers('/sub-user', BEFORE);
	service.answers('/bandwidth', bandwidthOf([]));
	service.answers('/statement', { today: null, movements: [], next_before: null, searched_to: null });
	service.answers('/sub-users/give', GIVEN);
	open(t, '/sub-users/alice');
	await press(subUserTexts.give);
	await type(subUserTexts.amount, '1.23');
	return service;
}

test('an act is sent once even if its button is pressed twice, and its dialog closes when it was done', async (t) => {
	const service = await aboutToGive(t);
	const answer = service.holds('/sub-users/give');
	const give = await button(GIVE);
	fireEvent.click(give);
	fireEvent.click(give);
	const open = await dialog(subUserTexts.moveTitles.give('alice'));
	fireEvent.submit(open.querySelector('form') as HTMLFormElement);
	fireEvent.keyDown(open, { key: 'Escape' });
	assert.ok(within(open).getByRole<HTMLButtonElement>('button', { name: actTexts.cancel }).disabled);
	answer(GIVEN);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [{ act, ...body } = {}, ...others] = service.calls('/sub-users/give');
	assert.deepEqual([body, others], [{ username: 'alice', amount: 123 }, []]);
	assert.match(String(act), /^[\da-f-]{36}$/);
});

test('a note is sent with the amount, also after a lost answer, and one that is too long is not', async (t) => {
	const service = await aboutToGive(t);
	await type(subUserTexts.moveNote, 'x'.repeat(201));
	await screen.findByText(subUserTexts.moveNoteTooLong);
	assert.ok(((await button(GIVE)) as HTMLButtonElement).disabled);
	await type(subUserTexts.moveNote, ' for May ');
	service.loses('/sub-users/give');
	await press(GIVE);
	await screen.findByText(actTexts.lostAct);
	await press(pageTexts.retry);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [first, second] = service.calls('/sub-users/give');
	assert.equal(first?.note, 'for May');
	assert.deepEqual(first, second);
});

test('a reference is sent with the amount, and one that cannot be is not', async (t) => {
	const service = await aboutToGive(t);
	await type(subUserTexts.moveReference, 'two words');
	await screen.findByText(subUserTexts.moveReferenceWrong);
	assert.ok(((await button(GIVE)) as HTMLButtonElement).disabled);
	await type(subUserTexts.moveReference, ' order-7 ');
	await press(GIVE);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [{ act: _, ...body } = {}] = service.calls('/sub-users/give');
	assert.deepEqual(body, { username: 'alice', amount: 123, reference: 'order-7' });
});

test('a refusal says why, and the next try is the same act', async (t) => {
	const service = await aboutToGive(t);
	service.refuses('/sub-users/give', 'insufficient_balance', 402);
	await press(GIVE);
	await screen.findByText(failureTexts.insufficient_balance.happened);
	await press(GIVE);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [first, second] = service.calls('/sub-users/give');
	assert.deepEqual(first, second);
});

test('after a lost answer the same act is sent again: now it is done', async (t) => {
	const service = await aboutToGive(t);
	service.loses('/sub-users/give');
	await press(GIVE);
	await screen.findByText(actTexts.lostAct);
	await dialog(actTexts.lostTitle);
	await press(pageTexts.retry);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [first, second] = service.calls('/sub-users/give');
	assert.deepEqual(first, second);
});

test('after a lost answer the same act is sent again, even if the present balance would not allow it', async (t) => {
	const service = await aboutToGive(t);
	service.loses('/sub-users/give');
	service.answers('/sub-user', { ...GIVEN, reseller_balance: 0 });
	await press(GIVE);
	await screen.findByText(actTexts.lostAct);
	await press(pageTexts.retry);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [first, second] = service.calls('/sub-users/give');
	assert.deepEqual(first, second);
});

test('after a lost answer the same act is sent again: it was done before, and the page says how things stand', async (t) => {
	const service = await aboutToGive(t);
	service.loses('/sub-users/give');
	await press(GIVE);
	await screen.findByText(actTexts.lostAct);
	service.answers('/sub-user', GIVEN);
	service.refuses('/sub-users/give', 'act_repeated');
	await press(pageTexts.retry);
	await screen.findByText(subUserTexts.repeatedMovement('alice', '$11.23', '$48.77'));
	assert.ok(!screen.queryByRole('button', { name: pageTexts.retry }));
	assert.equal(service.calls('/sub-users/give').length, 2);
});

test('of a lost act, a refusal for now says nothing: it stays lost', async (t) => {
	const service = await aboutToGive(t);
	service.loses('/sub-users/give');
	await press(GIVE);
	await screen.findByText(actTexts.lostAct);
	service.refuses('/sub-users/give', 'unavailable', 503);
	await press(pageTexts.retry);
	await screen.findByText(failureTexts.unavailable.happened);
	await screen.findByText(actTexts.lostAct);
	await press(pageTexts.retry);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
});

test('a dialog that is opened anew is another act, and remembers nothing', async (t) => {
	const service = await aboutToGive(t);
	service.refuses('/sub-users/give', 'balance_limit');
	await press(GIVE);
	await screen.findByText(failureTexts.balance_limit.happened);
	await press(actTexts.cancel);
	await gone(subUserTexts.moveTitles.give('alice'));
	await press(subUserTexts.give);
	assert.equal((await screen.findByLabelText<HTMLInputElement>(subUserTexts.amount)).value, '');
	await gone(failureTexts.balance_limit.happened);
	await type(subUserTexts.amount, '1.23');
	await press(GIVE);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
	const [first, second] = service.calls('/sub-users/give');
	assert.notEqual(first?.act, second?.act);
});

test('what cannot be moved cannot be sent', async (t) => {
	const service = await aboutToGive(t);
	for (const [typed, said] of [
		['12,30', subUserTexts.amountProblems.unreadable],
		['0', subUserTexts.amountProblems.zero],
		['50.01', subUserTexts.youHave('$50.00')],
	] as const) {
		await type(subUserTexts.amount, typed);
		await screen.findByText(said);
		const form = (await dialog(subUserTexts.moveTitles.give('alice'))).querySelector('form');
		fireEvent.submit(form as HTMLFormElement);
	}
	assert.deepEqual(service.calls('/sub-users/give'), []);
});

test('if the session has ended, what was typed stays, and is sent after a new sign-in', async (t) => {
	const service = await aboutToGive(t);
	service.answers('/session', presenceOf(null));
	service.refuses('/sub-users/give', 'signed_out', 401);
	await press(GIVE);
	const note = await dialog(signInTexts.goneTitle);
	service.answers('/session', presenceOf(ANN));
	service.answers('/sign-in', presenceOf(ANN));
	fireEvent.change(within(note).getByLabelText(signInTexts.password), { target: { value: 'four unrelated words' } });
	fireEvent.click(within(note).getByRole('button', { name: signInTexts.signIn }));
	await gone(signInTexts.signInAgain);
	await gone(failureTexts.signed_out.todo);
	await press(GIVE);
	await screen.findByText(subUserTexts.moved.give('$1.23', 'alice'));
});
