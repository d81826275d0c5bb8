import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
	eventTypeTexts,
	webhookStateTexts,
	webhooksTexts,
	webhookTryTexts,
} from '../../../../dashboard/src/features/webhooks/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field, heading } from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

const HOSTILE = `<b>no</b> \u202e${'long-'.repeat(100)}`;

test('an owner makes a webhook with the keyboard, sees what its receiver answers, and deletes it', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_WEBHOOKS_LOOPBACK: '1' } });
	await dashboard.service.openReseller('acme', 5000);
	const url = await startReceiver(t);
	const looks = createLooks();
	const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme');
	await open('/webhooks');
	await page.getByText(webhooksTexts.none).waitFor();
	await looks.at(page, 'webhooks-none');

	await button(page, webhooksTexts.create).focus();
	await page.keyboard.press('Enter');
	await dialog(page, webhooksTexts.create).waitFor();
	await page.keyboard.type(`${url}/first`);
	await page.getByRole('radio', { name: webhooksTexts.everyType }).focus();
	await page.keyboard.press('ArrowDown');
	await page.getByRole('checkbox', { name: eventTypeTexts['token.rotated'] }).focus();
	await page.keyboard.press('Space');
	await looks.at(page, 'webhook-create');
	await field(page, webhooksTexts.url).press('Enter');
	const secret = await page.getByRole('group', { name: webhooksTexts.secretLabel }).innerText();
	assert.match(secret, /^whsec_/);
	await looks.at(page, 'webhook-secret');
	await button(page, secretTexts.stored).click();
	await page.getByRole('link', { name: '/first' }).waitFor();
	assert.ok(!(await page.content()).includes(secret));
	await looks.at(page, 'webhooks');

	await page.getByRole('link', { name: '/first' }).click();
	await button(page, webhooksTexts.test).click();
	await button(page, webhooksTexts.testNow).click();
	await page.getByText(webhookTryTexts.failed('500')).waitFor();
	await looks.at(page, 'webhook');
	await page.getByRole('button', { name: webhookTryTexts.show }).click();
	await page.getByText(HOSTILE.replaceAll('\u202e', ' ')).waitFor();
	await looks.at(page, 'webhook-answer');
	await page.keyboard.press('Escape');
	for (const [opener, title, name] of [
		[webhooksTexts.changeTitle, webhooksTexts.changeTitle, 'change'],
		[webhooksTexts.switchOff, webhooksTexts.switchOffTitle, 'off'],
		[webhooksTexts.rotate, webhooksTexts.rotateTitle, 'rotate'],
		[webhooksTexts.positionAction, webhooksTexts.positionAction, 'position'],
		[webhooksTexts.delete, webhooksTexts.deleteTitle, 'delete'],
	] as const) {
		await lookAtDialog(page, looks, opener, title, `webhook-${name}`);
	}
	await button(page, webhooksTexts.switchOff).click();
	await dialog(page, webhooksTexts.switchOffTitle).getByRole('button', { name: webhooksTexts.switchOff }).click();
	await page.getByText(webhookStateTexts.reasons.switched_off).waitFor();
	await looks.at(page, 'webhook-switched-off');

	const olga = await dashboard.operator('olga@bursar.example');
	await olga.open('/resellers/acme');
	await olga.page.getByRole('main').getByRole('link', { name: pageNames.webhooks }).click();
	await olga.page.getByText(new URL(url).host).waitFor();
	await looks.at(olga.page, 'all-webhooks');
	assertSilent(olga.trail);

	await button(page, webhooksTexts.delete).click();
	await button(page, webhooksTexts.deleteNow).click();
	await heading(page, pageNames.webhooks).waitFor();
	await page.getByText(webhooksTexts.none).waitFor();
	assertSilent(trail);
	looks.assertRight();
});

/** A receiver that answers each event with an error, and returns its URL. */
async function startReceiver(t: TestContext): Promise<string> {
	const receiver = createServer((_request, response) => response.writeHead(500).end(HOSTILE));
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	t.after(() => receiver.close());
	return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}
