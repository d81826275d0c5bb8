import { test } from 'node:test';
import { actsTexts } from '../../../../dashboard/src/features/acts/texts.ts';
import { peopleTexts } from '../../../../dashboard/src/features/people/texts.ts';
import { teamTexts } from '../../../../dashboard/src/features/team/texts.ts';
import { roleTexts } from '../../../../dashboard/src/forms/texts.ts';
import { shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

const BEN = 'ben@acme.example';

test('an owner invites a colleague, who only reads, and then removes the colleague, whose acts stay', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);
	const looks = createLooks();
	const owner = await dashboard.signedIn('ann@acme.example', 'acme');
	await owner.open('/team');
	await button(owner.page, teamTexts.invite).click();
	await owner.page.getByLabel(peopleTexts.email).fill(BEN);
	await owner.page.getByRole('radio', { name: roleTexts.names.viewer }).check();
	await looks.at(owner.page, 'team-invite');
	await owner.page.keyboard.press('Enter');
	const link = await owner.page.getByRole('group', { name: peopleTexts.linkLabel }).textContent();
	const ben = await dashboard.visit();
	await ben.change('/invitation/accept', { link: new URL(link ?? '').hash.slice(1), password: 'four unrelated words' });
	await ben.open('/team');
	await ben.page.getByText(shellTexts.onlyReads).waitFor();
	await ben.page.getByText(teamTexts.onlyOwners).waitFor();
	await looks.at(ben.page, 'team-viewer');
	await ben.open('/sub-users');
	await ben.page.getByText(shellTexts.onlyReads).waitFor();
	await looks.at(ben.page, 'sub-users-viewer');
	assertSilent(ben.trail);

	await owner.open('/team');
	await button(owner.page, teamTexts.removeOne(BEN)).waitFor();
	await looks.at(owner.page, 'team');
	await button(owner.page, teamTexts.removeOne(BEN)).click();
	await looks.at(owner.page, 'team-remove');
	await button(owner.page, teamTexts.removeNow).click();
	await button(owner.page, teamTexts.removeOne(BEN)).waitFor({ state: 'detached' });
	await owner.open('/activity');
	await owner.page.getByText(BEN).first().waitFor();
	await owner.page.getByText(actsTexts.csv).waitFor();
	await looks.at(owner.page, 'activity-of-team');
	assertSilent(owner.trail);
	looks.assertRight();
});
