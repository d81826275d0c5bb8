import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { correctionTexts } from '../../../../dashboard/src/features/corrections/texts.ts';
import { edgesTexts, newEdgeTexts } from '../../../../dashboard/src/features/edges/texts.ts';
import { peopleTexts } from '../../../../dashboard/src/features/people/texts.ts';
import { priceTexts } from '../../../../dashboard/src/features/resellers/price-texts.ts';
import { suspensionTexts } from '../../../../dashboard/src/features/resellers/suspension-texts.ts';
import { teamTexts } from '../../../../dashboard/src/features/team/texts.ts';
import { roleTexts } from '../../../../dashboard/src/forms/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { buttonIn, runInStore } from '../../support/business-steps.ts';
import { createSubUser } from '../../support/commands.ts';
import { outcomeOf, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field } from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

const BEN = 'ben@acme.example';

test('the dialogs of operators and of a team are readable for everybody, and the focus comes back from them', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_EDGE_URL: 'https://edge.bursar.example' } });
	await dashboard.service.openReseller('acme', 50_000);
	await runInStore(dashboard.service.config, [createSubUser('acme', 'alice')]);
	const looks = createLooks();
	const owner = await dashboard.signedIn('ann@acme.example', 'acme');
	const { page, open, trail, change } = await dashboard.operator('olga@bursar.example');

	await open('/resellers/acme');
	await lookAtDialog(page, looks, priceTexts.set, priceTexts.dialogTitle('acme'), 'price');
	const { '/operator/suspend': suspend, '/operator/resume': resume } = suspensionTexts;
	await lookAtDialog(page, looks, suspend.action, suspend.title('acme'), 'suspend');
	await button(page, suspend.action).click();
	await buttonIn(page, suspend.title('acme'), suspend.action).click();
	await dialog(page, suspend.title('acme')).waitFor({ state: 'detached' });
	await page.locator(':focus', { hasText: resume.action }).waitFor();
	await looks.at(page, 'suspended-reseller');
	await lookAtDialog(page, looks, resume.action, resume.title('acme'), 'resume');
	await owner.open('/');
	await owner.page.getByText(shellTexts.suspendedTitle).waitFor();
	await looks.at(owner.page, 'suspended-overview');
	assert.equal(outcomeOf(await change('/operator/resume', { act: randomUUID(), reseller: 'acme' })), '200');

	await open('/resellers/acme/sub-users/alice');
	await lookAtDialog(page, looks, correctionTexts.action, correctionTexts.title, 'correction');
	await open('/people');
	const remove = peopleTexts['/operator/people/remove'];
	const ann = 'ann@acme.example';
	await lookAtDialog(page, looks, remove.one(ann), remove.title(ann), 'remove-person');
	await open('/edges');
	const link = newEdgeTexts['/operator/edges/link'];
	await button(page, link.action).click();
	await field(page, edgesTexts.name).fill('frankfurt-1');
	await button(page, edgesTexts.createNow).click();
	const command = await page.getByRole('group', { name: link.secretLabel }).innerText();
	assert.match(command, /^bursar-edge join 'https:\/\/edge\.bursar\.example\/join#[\w-]{43}'$/);
	await looks.at(page, 'edge-link');
	await button(page, secretTexts.stored).click();
	await page.getByText(edgesTexts.waits).waitFor();

	await owner.open('/team');
	await button(owner.page, teamTexts.invite).click();
	await owner.page.getByLabel(peopleTexts.email).fill(BEN);
	await owner.page.getByRole('radio', { name: roleTexts.names.viewer }).check();
	await looks.at(owner.page, 'team-invite');
	await owner.page.keyboard.press('Enter');
	const invitation = await owner.page.getByRole('group', { name: peopleTexts.linkLabel }).textContent();
	const ben = await dashboard.visit();
	const password = 'four unrelated words';
	await ben.change('/invitation/accept', { link: new URL(invitation ?? '').hash.slice(1), password });
	for (const path of ['/team', '/sub-users']) {
		await ben.open(path);
		await ben.page.getByText(shellTexts.onlyReads).waitFor();
		await looks.at(ben.page, `viewer${path.replace('/', '-')}`);
	}
	await button(owner.page, secretTexts.stored).click();
	await button(owner.page, teamTexts.removeOne(BEN)).click();
	await looks.at(owner.page, 'team-remove');

	looks.assertRight();
	for (const each of [trail, owner.trail, ben.trail]) assert.deepEqual(each.complaints, []);
});
