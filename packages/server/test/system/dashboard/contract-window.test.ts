import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { assertSilent, outcomeOf, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog } from '../../support/dashboard-steps.ts';
import { rotate, shownToken, showsTailOf, storeToken, tokenState } from '../../support/token-steps.ts';

/** How often the API client sends a request. */
const PACE_MS = 100;
/** How far from the end of the token its last use and its first refusal may lie, on a machine that is busy. */
const BUSY_MS = 5_000;
/** The service says that the previous token is dead half a minute after its end. */
const DEAD_AFTER_MS = 30_000;
const DEAD_LIMIT_MS = 60_000;

test('a rotation keeps the window of the contract', { concurrency: true }, async (t) => {
	const dashboard = await startDashboard(t);
	const { url } = dashboard.service;

	const overlap = t.test('the previous token lives a minute, and all open pages follow', async () => {
		const { token: previous } = await dashboard.service.openReseller('acme', 5000);
		const [ann, ben] = await Promise.all([
			dashboard.signedIn('ann@acme.example', 'acme'),
			dashboard.signedIn('ben@acme.example', 'acme'),
		]);
		for (const { page, open } of [ann, ben]) {
			await open('/token');
			await showsTailOf(page, previous);
		}
		await ben.page.evaluate('window.isFirstLoad = true');
		const client = useToken(url, previous);

		await rotate(ann.page, 60);
		const token = await shownToken(ann.page);
		await ann.page.keyboard.press('Escape');
		await ann.page.getByText(tokenTexts.ask).waitFor();
		await button(ann.page, secretTexts.goBack).click();
		assert.equal(await storeToken(ann.page), token);
		assert.equal(await keptBy(ann.page, token), false, 'the page has kept the token');
		assert.equal((await resellerApi(url, token).myInfo()).status, 200);

		await showsTailOf(ben.page, token);
		assert.equal(await ben.page.evaluate('window.isFirstLoad'), true, 'the page was loaded again');
		for (const { page, change } of [ann, ben]) {
			await page.getByRole('button', { name: tokenTexts.rotate, exact: true, disabled: true }).waitFor();
			const again = await change('/token/rotate', { act: crypto.randomUUID(), overlap_seconds: 0 });
			assert.equal(outcomeOf(again), '409 rotation_pending');
			await page.getByText(tokenTexts.previousStillUsed).waitFor();
			await page.getByRole('timer', { name: tokenTexts.worksFor }).waitFor();
		}
		const state = await tokenState(ben);
		assert.ok(state.previous);
		const expiresMs = Date.parse(state.previous.expires);
		assert.equal(expiresMs - Date.parse(state.current.made), 60_000);
		assert.equal(Date.parse(state.previous.dead) - expiresMs, DEAD_AFTER_MS);

		client.stopAt(expiresMs + 2_000);
		const uses = await client.uses;
		for (const { sentAtMs, answeredAtMs, status } of uses) {
			if (answeredAtMs < expiresMs) assert.equal(status, 200, `${expiresMs - answeredAtMs} ms before its end`);
			if (sentAtMs > expiresMs) assert.equal(status, 401, `${sentAtMs - expiresMs} ms after its end`);
		}
		const lastAccepted = uses.findLast(({ status }) => status === 200);
		const firstRefused = uses.find(({ status }) => status === 401);
		assert.ok(lastAccepted && expiresMs - lastAccepted.sentAtMs < BUSY_MS, 'a use shortly before the end');
		assert.ok(firstRefused && firstRefused.sentAtMs - expiresMs < BUSY_MS, 'a refusal shortly after the end');
		await ben.page.getByText(tokenTexts.previousExpired).waitFor();
		for (const { trail } of [ann, ben]) assertSilent(trail);
	});

	const noOverlap = t.test(
		'without overlap, the next rotation is possible when the previous token is dead',
		async () => {
			const { token: previous } = await dashboard.service.openReseller('zeta', 5000);
			const zoe = await dashboard.signedIn('zoe@zeta.example', 'zeta');
			await zoe.open('/token');
			await rotate(zoe.page, 0);
			const token = await storeToken(zoe.page);
			assert.equal((await resellerApi(url, previous).myInfo()).status, 401);
			assert.equal((await resellerApi(url, token).myInfo()).status, 200);
			const deadMs = Date.parse((await tokenState(zoe)).previous?.dead ?? '');

			const enabled = zoe.page.getByRole('button', { name: tokenTexts.rotate, exact: true, disabled: false });
			await enabled.waitFor({ timeout: DEAD_LIMIT_MS });
			assert.ok(Date.now() >= deadMs, 'the button waits until the previous token is dead');
			await enabled.click();
			await dialog(zoe.page, tokenTexts.rotate).waitFor();
			const again = await zoe.change('/token/rotate', { act: crypto.randomUUID(), overlap_seconds: 0 });
			assert.equal(outcomeOf(again), '200');
			assertSilent(zoe.trail);
		},
	);
	await Promise.all([overlap, noOverlap]);
});

interface Use {
	/** Both by the clock that the service has, too. */
	readonly sentAtMs: number;
	readonly answeredAtMs: number;
	readonly status: number;
}

/** A program that uses the token again and again, until a time. */
function useToken(url: string, token: string): { readonly uses: Promise<readonly Use[]>; stopAt(ms: number): void } {
	let untilMs = Number.POSITIVE_INFINITY;
	const api = resellerApi(url, token);
	async function run(): Promise<readonly Use[]> {
		const uses: Use[] = [];
		while (Date.now() < untilMs) {
			const sentAtMs = Date.now();
			const { status } = await api.myInfo();
			uses.push({ sentAtMs, answeredAtMs: Date.now(), status });
			await setTimeout(PACE_MS);
		}
		return uses;
	}
	return {
		uses: run(),
		stopAt(ms) {
			untilMs = ms;
		},
	};
}

/** Whether the token is anywhere in the page's document, address or storage. */
async function keptBy(page: Parameters<typeof shownToken>[0], token: string): Promise<boolean> {
	const kept = await page.evaluate<string>(
		`(async () => document.documentElement.outerHTML + location.href + JSON.stringify([
			history.state, { ...localStorage }, { ...sessionStorage }, await indexedDB.databases(),
		]))()`,
	);
	return kept.includes(token);
}
