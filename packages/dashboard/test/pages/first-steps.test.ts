import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { ResellerSteps } from '@bursar/contract/dashboard';
import { firstStepsTexts } from '../../src/features/first-steps/texts.ts';
import { lowBalanceTexts } from '../../src/features/low-balance/texts.ts';
import { overviewTexts } from '../../src/features/overview/texts.ts';
import {
	ANN,
	cleanup,
	dialog,
	gone,
	OLGA,
	OVERVIEW,
	open,
	presenceOf,
	press,
	pressInDialog,
	RESELLER_STEPS,
	SERVICE_STEPS,
	screen,
	serviceFor,
	type,
	waitFor,
	within,
} from '../support/dashboard.ts';

const NEW: ResellerSteps = {
	...{ sub_user: true, give: false, bytes: false, warning: false, warning_mail: false },
	...{ person: false, passkey: false, api: false },
};

afterEach(() => window.localStorage.clear());

/** What the list says, in its order. */
async function steps(title: string): Promise<readonly string[]> {
	const items = within(await screen.findByRole('region', { name: title })).getAllByRole('listitem');
	return items.map(({ textContent }) => textContent ?? '');
}

test('an owner sees what is still to do, each with its page, and a hidden list is not read any more', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/first-steps', NEW);
	open(t, '/');
	const texts = firstStepsTexts.resellerSteps;
	assert.deepEqual(await steps(firstStepsTexts.reseller), [
		`${firstStepsTexts.done}: ${texts.sub_user}`,
		...[texts.give, texts.bytes, texts.warning_mail, texts.second_way_in, texts.api].map(
			(text) => `${firstStepsTexts.toDo}: ${text}`,
		),
	]);
	assert.equal((await screen.findByRole('link', { name: texts.api })).getAttribute('href'), '/dashboard/token');
	await press(firstStepsTexts.hide);
	await gone(texts.give);
	cleanup();
	open(t, '/');
	await screen.findByText(lowBalanceTexts.setBound);
	assert.equal(service.calls('/first-steps').length, 1);
});

test('a manager sees only what managers may do, and a viewer no list', async (t) => {
	const service = serviceFor(t, { ...ANN, role: 'manager' });
	service.answers('/first-steps', NEW);
	open(t, '/');
	const list = await steps(firstStepsTexts.reseller);
	assert.equal(list.at(-1), `${firstStepsTexts.toDo}: ${firstStepsTexts.resellerSteps.passkey}`);
	assert.equal(list.length, 5);
	cleanup();
	service.answers('/session', presenceOf({ ...ANN, role: 'viewer' }));
	open(t, '/');
	await screen.findByText(overviewTexts.noMovements);
	assert.equal(service.calls('/first-steps').length, 1);
});

test('the list of operators leaves out backups that the service does not see, and goes when all is done', async (t) => {
	const service = serviceFor(t, OLGA);
	for (const path of ['/operator/health', '/operator/money', '/operator/edges'] as const) {
		service.always(path, 'unavailable', 503);
	}
	service.answers('/operator/first-steps', { ...SERVICE_STEPS, backup: null, price: false });
	open(t, '/');
	const list = await steps(firstStepsTexts.service);
	assert.equal(list.length, 7);
	assert.equal(list.includes(`${firstStepsTexts.toDo}: ${firstStepsTexts.serviceSteps.price}`), true);
	cleanup();
	service.answers('/operator/first-steps', SERVICE_STEPS);
	open(t, '/');
	await waitFor(() => assert.equal(service.calls('/operator/first-steps').length, 2));
	await gone(firstStepsTexts.service);
});

test('who sets a warning has its mail turned on with it, unless they do not want it', async (t) => {
	const service = serviceFor(t, ANN);
	const mail = { is_set_up: true, choices: [{ mail: 'low_balance', wanted: false }] } as const;
	service.answers('/account/mail', mail);
	service.answers('/first-steps', { ...RESELLER_STEPS, warning: false, warning_mail: false });
	service.answers('/overview/low-balance', { ...OVERVIEW, low_balance: 500 });
	open(t, '/');
	// The step itself opens the dialog.
	await press(firstStepsTexts.resellerSteps.warning_mail);
	await within(await dialog(lowBalanceTexts.boundTitle)).findByLabelText(lowBalanceTexts.mailToo);
	await type(lowBalanceTexts.bound, '5');
	await pressInDialog(lowBalanceTexts.boundTitle, lowBalanceTexts.save);
	await waitFor(() => {
		const [{ act: _, ...sent } = {}] = service.calls('/overview/low-balance');
		assert.deepEqual(sent, { low_balance: 500, mail: true });
	});
});

test('a warning promises no mail where none is sent', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/account/mail', { is_set_up: false, choices: [{ mail: 'low_balance', wanted: false }] });
	service.answers('/overview/low-balance', { ...OVERVIEW, low_balance: 500 });
	open(t, '/');
	await press(lowBalanceTexts.setBound);
	await within(await dialog(lowBalanceTexts.boundTitle)).findByText(lowBalanceTexts.noMail);
	await type(lowBalanceTexts.bound, '5');
	await pressInDialog(lowBalanceTexts.boundTitle, lowBalanceTexts.save);
	await waitFor(() => {
		const [{ act: _, ...sent } = {}] = service.calls('/overview/low-balance');
		assert.deepEqual(sent, { low_balance: 500 });
	});
});
