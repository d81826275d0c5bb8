import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListedWebhook, PresentPerson, WebhookOfReseller, WebhookTry } from '@bursar/contract/dashboard';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import {
	allWebhooksTexts,
	eventTypeTexts,
	webhookStateTexts,
	webhooksTexts,
	webhookTryTexts,
} from '../../src/features/webhooks/texts.ts';
import { exactText } from '../../src/format/time.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { secretTexts } from '../../src/secrets/texts.ts';
import {
	ANN,
	button,
	dialog,
	gone,
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

const AT = '2026-01-01T00:00:00.000Z';
const SECRET = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==';
const HOOK: ListedWebhook = {
	...{ id: 'whe_1', url: 'https://hooks.example.com/in', types: null, off: null, reached: 7, newest: 9, behind: 2 },
	...{ failing_since: null, failed_tries: 0, next_try: null, test_asked: null, created: AT },
};
const TRY: WebhookTry = {
	...{ event_number: 8, event_id: 'evt_8', event_type: 'token.rotated', at: AT, status: 500, took: 1_234 },
	answer: '<img src=x onerror=alert(1)>\u001b[2J\u202e',
};

/** A page with these webhooks. */
function at(
	t: TestContext,
	address: string,
	webhooks: readonly ListedWebhook[],
	{ person = ANN, tries = [] }: { readonly person?: PresentPerson; readonly tries?: readonly WebhookTry[] } = {},
) {
	const service = serviceFor(t, person);
	service.answers('/webhooks', { webhooks });
	service.answers('/webhooks/tries', { tries });
	for (const path of ['/webhooks/update', '/webhooks/delete', '/webhooks/test'] as const) service.answers(path, {});
	open(t, address);
	return service;
}

const withoutAct = ({ act: _, ...body }: Readonly<Record<string, unknown>>) => body;

test('an owner without a webhook learns what one is, makes one, and its secret is shown once', async (t) => {
	const service = at(t, '/webhooks', []);
	await screen.findByText(webhooksTexts.none);
	service.answers('/webhooks/create', { id: HOOK.id, secret: SECRET });
	await press(webhooksTexts.create);
	await dialog(webhooksTexts.create);
	await type(webhooksTexts.url, ` ${HOOK.url} `);
	(await screen.findByLabelText(webhooksTexts.chosenTypes)).click();
	const create = await button(webhooksTexts.createNow);
	await waitFor(() => assert.ok(create.hasAttribute('disabled'), 'no type was chosen'));
	(await screen.findByLabelText(eventTypeTexts['token.rotated'])).click();
	(await screen.findByLabelText(eventTypeTexts['sub_user.deleted'])).click();
	service.answers('/webhooks', { webhooks: [HOOK] });
	await press(webhooksTexts.createNow);
	await dialog(webhooksTexts.secretTitle);
	await screen.findByText(SECRET);
	await press(secretTexts.stored);
	await gone(SECRET);
	await waitFor(() => assert.ok(document.querySelector(`a[href$="/webhooks/${HOOK.id}"]`)));
	assert.deepEqual(service.calls('/webhooks/create').map(withoutAct), [
		{ url: HOOK.url, types: ['sub_user.deleted', 'token.rotated'] },
	]);
});

test('a URL that is refused, and a secret whose answer was lost, are explained', async (t) => {
	const service = at(t, '/webhooks', []);
	await press(webhooksTexts.create);
	await type(webhooksTexts.url, 'http://a');
	service.refuses('/webhooks/create', 'invalid_webhook_url', 400);
	await press(webhooksTexts.createNow);
	await screen.findByText(failureTexts.invalid_webhook_url.todo);
	service.loses('/webhooks/create');
	await press(webhooksTexts.createNow);
	service.refuses('/webhooks/create', 'act_repeated');
	await press(pageTexts.retry);
	await screen.findByText(webhooksTexts.createLost);
});

test('the list says how each webhook is; with five of them, no further one is offered', async (t) => {
	at(t, '/webhooks', [
		HOOK,
		{ ...HOOK, id: 'whe_2', off: 'failing', types: ['token.rotated'] },
		{ ...HOOK, id: 'whe_3', failing_since: AT, failed_tries: 3, behind: 0 },
		{ ...HOOK, id: 'whe_4', off: 'switched_off' },
		{ ...HOOK, id: 'whe_5' },
	]);
	await screen.findByText(webhookStateTexts.reasons.failing);
	await screen.findByText(webhookStateTexts.failing(3));
	await screen.findByText(webhooksTexts.someEvents(1));
	await screen.findByText(webhooksTexts.tooMany);
	assert.equal((await button(webhooksTexts.create)).getAttribute('aria-disabled'), 'true');
});

test('who is no owner sees webhooks and their tries, and changes nothing', async (t) => {
	at(t, '/webhooks/whe_1', [HOOK], { person: { ...ANN, role: 'manager' }, tries: [TRY] });
	await button(webhookTryTexts.showOne(exactText(AT)));
	await screen.findByText(webhooksTexts.onlyOwners);
	for (const name of [
		...[webhooksTexts.test, webhooksTexts.switchOff, webhooksTexts.changeTitle, webhooksTexts.rotate],
		...[webhooksTexts.positionAction, webhooksTexts.delete],
	]) {
		assert.ok(!screen.queryByRole('button', { name }), name);
	}
});

test('what a receiver has answered is shown as a text, with nothing in it that cannot be seen', async (t) => {
	at(t, '/webhooks/whe_1', [HOOK], {
		tries: [TRY, { ...TRY, event_id: 'evt_0', event_number: 0, status: 204, answer: '' }],
	});
	await screen.findByText(webhookTryTexts.delivered('204'));
	await screen.findByText(webhookTryTexts.failed('500'));
	await press(webhookTryTexts.showOne(exactText(AT)));
	const answer = await dialog(webhookTryTexts.answerTitle(exactText(AT)));
	await within(answer).findByText('<img src=x onerror=alert(1)>\\u001b[2J\\u202e');
	assert.ok(!answer.querySelector('img'));
});

test('a test is sent, and a webhook is switched off, changed, put at another event, and deleted', async (t) => {
	const service = at(t, '/webhooks/whe_1', [HOOK]);
	await press(webhooksTexts.test);
	await pressInDialog(webhooksTexts.testTitle, webhooksTexts.testNow);
	await gone(webhooksTexts.testTitle);
	await press(webhooksTexts.switchOff);
	await pressInDialog(webhooksTexts.switchOffTitle, webhooksTexts.switchOff);
	await gone(webhooksTexts.switchOffTitle);

	await press(webhooksTexts.changeTitle);
	await type(webhooksTexts.url, 'https://other.example.com/');
	await pressInDialog(webhooksTexts.changeTitle, webhooksTexts.changeNow);
	await gone(webhooksTexts.changeIntro);

	await press(webhooksTexts.positionAction);
	await type(webhooksTexts.positionField, '10');
	await screen.findByText(webhooksTexts.positionTooHigh(9));
	await type(webhooksTexts.positionField, '3');
	await pressInDialog(webhooksTexts.positionAction, webhooksTexts.positionNow);
	await gone(webhooksTexts.positionIntro);

	await press(webhooksTexts.delete);
	service.answers('/webhooks', { webhooks: [] });
	await pressInDialog(webhooksTexts.deleteTitle, webhooksTexts.deleteNow);
	await screen.findByText(webhooksTexts.none);
	assert.deepEqual(service.calls('/webhooks/test').map(withoutAct), [{ id: 'whe_1' }]);
	assert.deepEqual(service.calls('/webhooks/update').map(withoutAct), [
		{ id: 'whe_1', enabled: false },
		{ id: 'whe_1', url: 'https://other.example.com/' },
		{ id: 'whe_1', reached: 3 },
	]);
	assert.deepEqual(service.calls('/webhooks/delete').map(withoutAct), [{ id: 'whe_1' }]);
});

test('a webhook that is off says why, and is switched on; one whose events are gone wants another event first', async (t) => {
	const service = at(t, '/webhooks/whe_1', [{ ...HOOK, off: 'gone' }]);
	await screen.findByText(`${webhookStateTexts.reasons.gone} ${webhookStateTexts.todo.gone}`);
	await press(webhooksTexts.switchOn);
	await screen.findByText(webhooksTexts.switchOnIntro(8));
	service.answers('/webhooks', { webhooks: [{ ...HOOK, off: 'events_rewound' }] });
	await pressInDialog(webhooksTexts.switchOnTitle, webhooksTexts.switchOn);
	await screen.findByText(new RegExp(webhookStateTexts.reasons.events_rewound));
	assert.ok(!screen.queryByRole('button', { name: webhooksTexts.switchOn }));
	const [move = assert.fail()] = await screen.findAllByRole('button', { name: webhooksTexts.positionAction });
	move.click();
	await type(webhooksTexts.positionField, '9');
	await press(webhooksTexts.positionNow);
	await waitFor(() =>
		assert.deepEqual(service.calls('/webhooks/update').map(withoutAct), [
			{ id: 'whe_1', enabled: true },
			{ id: 'whe_1', reached: 9, enabled: true },
		]),
	);
});

test('a new secret is shown once, with how long the previous one signs too', async (t) => {
	const service = at(t, '/webhooks/whe_1', [HOOK]);
	service.answers('/webhooks/rotate-secret', { secret: SECRET, previous_until: AT });
	await press(webhooksTexts.rotate);
	await pressInDialog(webhooksTexts.rotateTitle, webhooksTexts.rotateNow);
	await screen.findByText(SECRET);
	await press(secretTexts.stored);
	await gone(SECRET);
});

test('a webhook that is not there is named as such', async (t) => {
	at(t, '/webhooks/whe_2', [HOOK]);
	await screen.findByText(webhooksTexts.unknown);
});

test('operators see the webhooks of all resellers and search them, but change none', async (t) => {
	const webhook: WebhookOfReseller = {
		...{ id: 'whe_1', reseller: 'acme', host: 'hooks.example.com', off: 'gone', behind: 5 },
		...{ failing_since: null, failed_tries: 0, created: AT },
	};
	const service = serviceFor(t, OLGA);
	service.answers('/operator/webhooks', ({ search }) => ({
		webhooks: search === 'b' ? [] : [webhook],
		...{ next: null, previous: null },
	}));
	open(t, '/webhooks');
	await screen.findByText('hooks.example.com');
	await screen.findByText(webhookStateTexts.reasons.gone);
	assert.ok(!screen.queryByRole('button', { name: webhooksTexts.create }));
	await type(allWebhooksTexts.search, 'b');
	await screen.findByText(allWebhooksTexts.nothingFound);
});
