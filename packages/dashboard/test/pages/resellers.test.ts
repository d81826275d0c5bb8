import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ResellerDetails } from '@bursar/contract/dashboard';
import { peopleTexts } from '../../src/features/people/texts.ts';
import { resellerDebtTexts } from '../../src/features/resellers/debt-texts.ts';
import { priceTexts, setPriceText } from '../../src/features/resellers/price-texts.ts';
import { resellerTexts } from '../../src/features/resellers/texts.ts';
import { moneyText } from '../../src/format/money.ts';
import { listTexts } from '../../src/lists/texts.ts';
import {
	ACME,
	button,
	dialog,
	fireEvent,
	OLGA,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
	waitFor,
	within,
} from '../support/dashboard.ts';

const LISTED = {
	...{ debt: 0, debt_line: 500, month_bytes: 0, day_bytes: 0, refused: 0 },
	...{ balance: 0, price: null, suspended: null, created: ACME.created, last_used: null },
};

/** The page of a reseller, for an operator. */
function atReseller(t: TestContext, details: ResellerDetails = ACME) {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/reseller', details);
	open(t, '/resellers/acme');
	return service;
}

/** The filter of the movements behind the dialog has the same label. */
async function typeReference(value: string): Promise<void> {
	const opened = within(await dialog(resellerTexts.payTitles['/operator/top-up']('acme')));
	fireEvent.change(opened.getByLabelText(resellerTexts.reference), { target: { value } });
}

test('a large top-up is sent only after its amount was typed a second time', async (t) => {
	const service = atReseller(t);
	service.answers('/operator/top-up', { repeated: false, details: ACME });
	await press(resellerTexts.payTexts['/operator/top-up']);
	await type(resellerTexts.amount, '1000000000000');
	await typeReference('INV-7');
	const pay = (await button(
		resellerTexts.payNow['/operator/top-up'](moneyText(100_000_000_000_000)),
	)) as HTMLButtonElement;
	assert.ok(pay.disabled);
	await type(resellerTexts.again, '10000000000000');
	await screen.findByText(resellerTexts.againDiffers);
	assert.ok(pay.disabled);
	await type(resellerTexts.again, '1000000000000.00');
	assert.ok(!pay.disabled);
	pay.click();
	await screen.findByText(resellerTexts.paid(moneyText(ACME.balance)));
	assert.deepEqual(
		service.calls('/operator/top-up').map(({ amount }) => amount),
		[100_000_000_000_000],
	);
});

test('a top-up of more than ten times the largest one before is typed twice', async (t) => {
	const service = atReseller(t, { ...ACME, largest_top_up: 50_00 });
	service.answers('/operator/top-up', { repeated: false, details: ACME });
	await press(resellerTexts.payTexts['/operator/top-up']);
	await typeReference('INV-8');
	await type(resellerTexts.amount, '500');
	const payNow = async (cents: number) =>
		(await button(resellerTexts.payNow['/operator/top-up'](moneyText(cents)))) as HTMLButtonElement;
	assert.ok(!(await payNow(500_00)).disabled);
	await type(resellerTexts.amount, '5000');
	await screen.findByText(resellerTexts.againFarOff('$500.00'));
	assert.ok((await payNow(5000_00)).disabled);
	await type(resellerTexts.again, '5000');
	assert.ok(!(await payNow(5000_00)).disabled);
	assert.deepEqual(service.calls('/operator/top-up'), []);
});

test('a price is set with the present one beside it, exactly as typed, and can be taken away', async (t) => {
	const since = ACME.created;
	const service = atReseller(t, { ...ACME, prices: [{ price: 3_500_000, since, by: OLGA.email }] });
	service.answers('/operator/price', ({ price }) => ({
		...ACME,
		prices: [{ price: price as number, since, by: null }],
	}));
	await press(priceTexts.set);
	await dialog(priceTexts.dialogTitle('acme'));
	const confirm = async (price?: number | null) => (await button(setPriceText(price))) as HTMLButtonElement;
	assert.ok((await confirm(3_500_000)).disabled, 'the same price again');
	for (const [text, problem] of [
		['3,50', 'unreadable'],
		['3.1234567', 'unreadable'],
		['0.000000', 'zero'],
		['1000.000001', 'too_large'],
	] as const) {
		await type(priceTexts.price, text);
		await screen.findByText(priceTexts.problems[problem]);
		assert.ok((await confirm()).disabled);
	}
	await type(priceTexts.price, '$ 0.100001');
	await screen.findByText(priceTexts.ofGb('$0.100001'));
	(await confirm(100_001)).click();
	const isOpen = () => screen.queryByRole('dialog', { name: priceTexts.dialogTitle('acme') }) !== null;
	await waitFor(() => assert.ok(!isOpen(), 'the dialog is open'));
	await press(priceTexts.set);
	await press(priceTexts.stop);
	await screen.findByText(priceTexts.stopped);
	(await confirm(null)).click();
	await screen.findByText(priceTexts.notMetered);
	assert.deepEqual(
		service.calls('/operator/price').map(({ price }) => price),
		[100_001, null],
	);
});

test('an operator sees a debt and its line, forgives at most the debt with a reason, and sets the line', async (t) => {
	const prices = [{ price: 3_500_000, since: ACME.created, by: null }];
	const service = atReseller(t, { ...ACME, balance: 0, debt: 700, prices });
	service.answers('/operator/forgive-debt', { ...ACME, balance: 0, debt: 200, prices });
	service.answers('/operator/price', { ...ACME, balance: 0, debt: 200, debt_line: 0, prices });
	await screen.findByText(resellerDebtTexts.beyond('$5.00'));
	await press(resellerDebtTexts.forgive);
	await dialog(resellerDebtTexts.dialogTitle('acme'));
	const forgive = async (amount: string) =>
		(await screen.findByRole('button', { name: resellerDebtTexts.forgiveNow(amount) })) as HTMLButtonElement;
	await type(resellerDebtTexts.amount, '7.01');
	await screen.findByText(resellerDebtTexts.problems.too_much);
	await type(resellerDebtTexts.amount, '5');
	assert.ok((await forgive('$5.00')).disabled, 'without a reason');
	await type(resellerDebtTexts.reason, ' goodwill ');
	service.answers('/operator/reseller', { ...ACME, balance: 0, debt: 200, prices });
	(await forgive('$5.00')).click();
	await screen.findByText('$2.00');
	assert.equal(screen.queryByText(resellerDebtTexts.beyond('$5.00')), null);
	const [{ amount, reason } = {}] = service.calls('/operator/forgive-debt');
	assert.deepEqual([amount, reason], [500, 'goodwill']);
	await press(priceTexts.set);
	await type(resellerDebtTexts.lineField, '1.001');
	await screen.findByText(resellerDebtTexts.lineProblem);
	await type(resellerDebtTexts.lineField, '0');
	(await button(setPriceText(3_500_000))).click();
	await screen.findByText(resellerDebtTexts.beyond('$0.00'));
	const [{ price, debt_line } = {}] = service.calls('/operator/price');
	assert.deepEqual([price, debt_line], [3_500_000, 0]);
});

const ANN_OF_ACME = {
	email: 'ann@acme.example',
	role: 'owner',
	state: 'active',
	second_factor: true,
	last_seen: null,
} as const;

test('a reset shows the new link once', async (t) => {
	const service = atReseller(t, { ...ACME, people: [ANN_OF_ACME] });
	const texts = peopleTexts['/operator/people/reset'];
	const link = 'http://localhost:8080/dashboard/invitation#secret-of-the-link';
	const mailing = 'not_set_up';
	service.answers('/operator/people/reset', { link, email: ANN_OF_ACME.email, expires: ACME.created, mailing });
	await press(texts.one(ANN_OF_ACME.email));
	await pressInDialog(texts.title(ANN_OF_ACME.email), texts.action);
	await dialog(texts.linkTitle);
	assert.equal((await screen.findByRole('group', { name: texts.linkLabel })).textContent, link);
	await screen.findByText(/^Mail is not set up: send this link to ann@acme\.example yourself/);
});

test('an operator sorts the resellers, and another order begins at the first page', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/resellers', ({ order, after }) => ({
		resellers: [{ ...LISTED, debt: 3, reseller: `${order}.${after}` }],
		next: 'more',
		previous: null,
	}));
	open(t, '/resellers?after=acme&order=income');
	await screen.findByText('name.acme');
	await screen.findByText(resellerTexts.owes('$0.03'));
	await press(resellerTexts.last_used);
	await screen.findByText('-last_used.undefined');
	assert.equal(window.location.search, '?order=-last_used');
	const head = screen.getByRole('columnheader', { name: resellerTexts.last_used });
	assert.equal(head.getAttribute('aria-sort'), 'descending');
	await press(resellerTexts.last_used);
	await screen.findByText('last_used.undefined');
	await type(listTexts.order, '-balance');
	await screen.findByText('-balance.undefined');
});
