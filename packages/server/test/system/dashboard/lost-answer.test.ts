import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { freePort } from '@bursar/testing/free-port';
import { bytesFrom, send, startRelay } from '@bursar/testing/relay';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { pageTexts } from '../../../../dashboard/src/page/texts.ts';
import { startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog } from '../../support/dashboard-steps.ts';
import { confirmEndOfTokens, rotate, showsTailOf, storeToken, tokenState } from '../../support/token-steps.ts';

const ROTATE = 'POST /dashboard/api/token/rotate';

/**
 * What happens on the way of each rotation: the answer breaks off in its middle, it breaks off before its first byte
 * (a browser then sends the request again by itself), or the request does not arrive.
 */
type Damage = 'within the answer' | 'before the answer' | 'before the request';

test('the page says what happened when the answer of a rotation was lost', async (t) => {
	const network = await startBadNetwork(t);
	const dashboard = await startDashboard(t, {
		url: network.url,
		environment: { BURSAR_PORT: String(network.servicePort) },
	});
	const { url } = dashboard.service;

	async function openTokenPage(reseller: string) {
		const { token } = await dashboard.service.openReseller(reseller, 5000);
		const visitor = await dashboard.signedIn(`ann@${reseller}.example`, reseller);
		await visitor.open('/token');
		await showsTailOf(visitor.page, token);
		return { ...visitor, token };
	}

	for (const damage of ['within the answer', 'before the answer'] as const) {
		await t.test(`cut ${damage}: it happened, and ending all tokens is the way out`, async () => {
			const visitor = await openTokenPage(damage.replaceAll(' ', '.'));
			const { page } = visitor;
			await network.damaging(damage, async () => {
				await rotate(page, 60);
				const lost = dialog(page, actTexts.lostTitle);
				await lost.getByText(tokenTexts.lostWayOut).waitFor();
				const { current } = await tokenState(visitor);
				assert.notEqual(current.tail, visitor.token.slice(-4));
				const [happened = ''] = tokenTexts.lostHappened(current.tail, '').split(',');
				await lost.getByText(happened).waitFor();
			});
			await button(page, tokenTexts.endAll).last().click();
			await confirmEndOfTokens(page);
			const token = await storeToken(page);
			await showsTailOf(page, token);
			assert.equal((await resellerApi(url, token).myInfo()).status, 200);
			assert.equal((await resellerApi(url, visitor.token).myInfo()).status, 401);
			const acts = await actsOf(visitor);
			assert.deepEqual(acts.slice(0, 2), ['end_all_tokens', 'rotate_token'], 'it happened once');
		});
	}

	await t.test('cut before the request: it did not happen, and can be tried again', async () => {
		const visitor = await openTokenPage('not.arrived');
		const { page } = visitor;
		const [notHappened = ''] = tokenTexts.lostNotHappened(visitor.token.slice(-4), '').split(',');
		await network.damaging('before the request', async () => {
			await rotate(page, 60);
			await dialog(page, actTexts.lostTitle).getByText(notHappened).waitFor();
		});
		await button(page, pageTexts.retry).click();
		const token = await storeToken(page);
		assert.equal((await resellerApi(url, token).myInfo()).status, 200);
		assert.equal((await resellerApi(url, visitor.token).myInfo()).status, 200, 'it lives on for a minute');
		assert.equal((await actsOf(visitor)).filter((kind) => kind === 'rotate_token').length, 1);
	});
});

/** The kinds of the person's acts, the newest first. */
async function actsOf({ read }: Parameters<typeof tokenState>[0]): Promise<readonly string[]> {
	const { data } = await (await read('/account/acts')).json();
	return data.acts.map(({ kind }: { kind: string }) => kind);
}

/** A network in front of a service, which can damage rotations on their way. */
async function startBadNetwork(test: TestContext) {
	const servicePort = await freePort();
	let damage: Damage | undefined;
	const relay = await startRelay(test, `http://127.0.0.1:${servicePort}`, async ({ client, server }) => {
		let damaged: Damage | undefined;
		async function passRequests(): Promise<void> {
			for await (const bytes of bytesFrom(client)) {
				if (bytes.includes(ROTATE)) damaged = damage;
				if (damaged === 'before the request') break;
				await send(server, bytes);
			}
			server.end();
			if (damaged === 'before the request') client.destroy();
		}
		async function passAnswers(): Promise<void> {
			for await (const bytes of bytesFrom(server)) {
				if (damaged === undefined) await send(client, bytes);
				else if (damaged === 'within the answer') {
					await send(client, bytes.subarray(0, -10));
					break;
				} else {
					// The browser's repeat is answered.
					damage = undefined;
					break;
				}
			}
			client.end();
		}
		await Promise.all([passRequests(), passAnswers()]);
	});
	return {
		servicePort,
		url: relay.url.replace('127.0.0.1', 'localhost'),
		async damaging(kind: Damage, during: () => Promise<void>): Promise<void> {
			damage = kind;
			await during();
			damage = undefined;
		},
	};
}
