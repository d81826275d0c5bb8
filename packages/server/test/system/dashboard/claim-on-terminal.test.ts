import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openBrowser, trailOf } from '@bursar/testing/browser';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { invitationTexts } from '../../../../dashboard/src/features/invitation/texts.ts';
import { pageNames, shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, refusalLine } from '../../support/dashboard-in-browser.ts';
import { acceptInvitation, button, field, heading, setUpCodes } from '../../support/dashboard-steps.ts';

const BURSAR = join(import.meta.dirname, '../../../bin/bursar.js');
const LINK = /http:\/\/localhost:\d+\/dashboard\/invitation#([\w-]{43})/;
const START_LIMIT_MS = 60_000;

/** A `bursar serve` whose output is a terminal, once it is ready. */
async function serveOnTerminal(t: TestContext, dataDir: string, ...args: readonly string[]) {
	const command = [`'${process.execPath}' '${BURSAR}' serve`, ...args].join(' ');
	const { child, stdout, ended } = startProcess(t, ['script', '-qefc', command, '/dev/null'], {
		environment: {
			BURSAR_DATA_DIR: dataDir,
			BURSAR_PORT: '0',
			BURSAR_OPS_PORT: '0',
			BURSAR_LOG_LEVEL: 'trace',
			TERM: 'xterm',
		},
		input: null,
	});
	await eventually(async () => assert.match(stdout(), /"msg":"ready"/), START_LIMIT_MS);
	return {
		stdout,
		async stop() {
			child.stdin.write('\u0003');
			return (await ended).stdout;
		},
	};
}

test('serve prints a link on its terminal, and only there; it leads to the page of the first operator', async (t) => {
	const dataDir = temporaryFolder(t);
	const asJson = await serveOnTerminal(t, dataDir, '--json');
	await eventually(async () => assert.match(asJson.stdout(), /bursar operator claim/));
	assert.doesNotMatch(await asJson.stop(), /invitation#/);

	const service = await serveOnTerminal(t, dataDir);
	const [link, secret] = await eventually(async () => LINK.exec(service.stdout()) ?? assert.fail('no link'));
	const browser = await openBrowser(t);
	const page = await browser.newPage();
	page.setDefaultTimeout(START_LIMIT_MS);
	const trail = trailOf(page);
	await page.goto(link);
	await page.getByText(invitationTexts.forFirst).waitFor();
	assert.equal(page.url(), link.replace(/#.*/, ''), 'the secret has left the address bar');
	await field(page, invitationTexts.email).fill('olga');
	await page.getByText(invitationTexts.badEmail).waitFor();
	assert.ok(await button(page, invitationTexts.accept).isDisabled());
	await field(page, invitationTexts.email).fill('olga@bursar.example');
	await acceptInvitation(page);
	await page.getByText(factorTexts.leadRequired).waitFor();
	assert.equal(await button(page, factorTexts.skip).count(), 0);
	await setUpCodes(page);
	await heading(page, pageNames.home).waitFor();
	await button(page, shellTexts.userMenu('olga@bursar.example')).waitFor();

	await page.goto('about:blank');
	await page.goto(link);
	await page.getByText(failureTexts.invalid_link.happened).waitFor();
	assertSilent(trail, [refusalLine(410, '/invitation')]);

	const output = await service.stop();
	const shown = output.split('\n').filter((line) => line.includes(secret as string));
	assert.deepEqual(
		shown.map((line) => line.trim()),
		[link],
		'the link stands in one line, which is none of the log',
	);
	const again = await serveOnTerminal(t, dataDir);
	await delay(2000);
	assert.doesNotMatch(await again.stop(), /operator/, 'there is an operator');
});
