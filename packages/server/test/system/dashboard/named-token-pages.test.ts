import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { apiTokensTexts } from '../../../../dashboard/src/features/api-tokens/texts.ts';
import { namedTokenTexts } from '../../../../dashboard/src/features/named-tokens/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field } from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

test('an owner makes a further token with the keyboard and ends it, and an operator one for a program', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_OPERATOR_PORT: '0' } });
	await dashboard.service.openReseller('acme', 5000);
	const looks = createLooks();
	const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme');
	await open('/token');
	await page.getByText(tokenTexts.furtherNone).waitFor();
	await button(page, namedTokenTexts.create).focus();
	await page.keyboard.press('Enter');
	await dialog(page, namedTokenTexts.create).waitFor();
	await page.keyboard.type('shop');
	await page.getByRole('checkbox', { name: tokenTexts.scopeNames.read }).focus();
	await page.keyboard.press('Space');
	await page.getByRole('radio', { name: namedTokenTexts.lives[90] }).focus();
	await page.keyboard.press('ArrowDown');
	await looks.at(page, 'further-token-create');
	await field(page, namedTokenTexts.name).press('Enter');
	const token = await page.getByRole('group', { name: namedTokenTexts.newLabel }).innerText();
	assert.match(token, /^brs_/);
	await looks.at(page, 'further-token-secret');
	await button(page, secretTexts.stored).click();
	await page.getByText(namedTokenTexts.endsIn(token.slice(-4))).waitFor();
	assert.ok(!(await page.content()).includes(token));
	const api = resellerApi(dashboard.service.url, token);
	assert.equal((await api.viewAccount({})).status, 200);
	await looks.at(page, 'further-tokens');
	const end = [namedTokenTexts.endOne('shop'), namedTokenTexts.endTitle('shop')] as const;
	await lookAtDialog(page, looks, ...end, 'further-token-end');
	await button(page, end[0]).click();
	await dialog(page, end[1]).getByRole('button', { name: namedTokenTexts.endNow }).click();
	await page.getByText(tokenTexts.furtherNone).waitFor();
	assert.equal((await api.viewAccount({})).errorCode, 'unauthorized');

	const olga = await dashboard.operator('olga@bursar.example');
	await olga.open('/api-tokens');
	await olga.page.getByText(apiTokensTexts.none).waitFor();
	await looks.at(olga.page, 'api-tokens-none');
	await button(olga.page, namedTokenTexts.create).click();
	await field(olga.page, namedTokenTexts.name).fill('billing');
	for (const scope of ['money:write', 'tokens:write'] as const) {
		await olga.page.getByRole('checkbox', { name: apiTokensTexts.scopes[scope] }).check();
	}
	await olga.page.getByText(apiTokensTexts.warnings['tokens:write']).waitFor();
	await looks.at(olga.page, 'api-token-create');
	await button(olga.page, namedTokenTexts.createNow).click();
	assert.match(await olga.page.getByRole('group', { name: namedTokenTexts.newLabel }).innerText(), /^bro_/);
	await button(olga.page, secretTexts.stored).click();
	await button(olga.page, namedTokenTexts.endOne('billing')).waitFor();
	await looks.at(olga.page, 'api-tokens');

	looks.assertRight();
	for (const each of [trail, olga.trail]) assertSilent(each);
});
