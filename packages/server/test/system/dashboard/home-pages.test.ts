import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeTexts } from '../../../../dashboard/src/features/home/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import type { Config } from '../../../src/config.ts';
import { newId } from '../../../src/credentials.ts';
import type { CounterReading } from '../../../src/domain/usage.ts';
import { openStore } from '../../../src/engine.ts';
import { runInStore } from '../../support/business-steps.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	postUsage,
	setPrice,
} from '../../support/commands.ts';
import { startDashboard } from '../../support/dashboard-in-browser.ts';
import { heading } from '../../support/dashboard-steps.ts';
import { edgeUse } from '../../support/notes.ts';
import { createLooks } from '../../support/page-looks.ts';

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;
const DAYS = 60;
const EDGES = ['eu-1', 'us-1', 'ap-1'];

test('the start page of operators is readable for everybody, when nothing happened yet and later', async (t) => {
	const looks = createLooks();
	const { operator } = await startDashboard(t);
	const olga = await operator('olga@bursar.example');
	await olga.open('/');
	await heading(olga.page, pageNames.home).waitFor();
	await olga.page.getByText(homeTexts.noneLow).waitFor();
	await looks.at(olga.page, 'home-empty');

	const later = await startDashboard(t);
	await twoMonths(later.service.config);
	const olaf = await later.operator('olaf@bursar.example');
	await olaf.open('/');
	await olaf.page.getByText(homeTexts.silent(1, 3)).waitFor();
	await olaf.page.getByText(homeTexts.reasons.out).waitFor();
	await olaf.page.getByRole('table', { name: homeTexts.byEdge }).waitFor();
	await looks.at(olaf.page, 'home');
	await olaf.page.getByRole('link', { name: 'bolt', exact: true }).first().click();
	await heading(olaf.page, 'bolt').waitFor();
	assert.deepEqual([...olga.trail.complaints, ...olaf.trail.complaints], []);
	looks.assertRight();
});

/** Resellers that are topped up and use bandwidth, and edges that report it. */
async function twoMonths(config: Config): Promise<void> {
	const nowMs = Date.now();
	const names = ['acme', 'bolt', 'clip'];
	await runInStore(
		config,
		names.flatMap((name) => [
			...[createReseller(name, name === 'bolt' ? 2_000 : 40_000), setPrice(name, 2_500_000)],
			...[1, 2, 3].flatMap((number) => [
				createSubUser(name, `${name}.${number}`),
				giveBalance(name, `${name}.${number}`, number * 300),
			]),
		]),
		nowMs - DAYS * DAY_MS,
	);
	for (let ago = DAYS - 1; ago >= 0; ago--) {
		const name = ago % 8 === 0 ? 'acme' : 'clip';
		if (ago % 4 === 0)
			await runInStore(config, [creditReseller(name, 5_000 + ((ago * 37) % 11) * 900, `${ago}`)], nowMs - ago * DAY_MS);
		await use(config, names, ago, nowMs);
	}
	await runInStore(
		config,
		names.map((name) => postUsage(name, name, `${name}.1`, `${name}.2`, `${name}.3`)),
	);
	const store = await openStore(config);
	for (const name of EDGES) {
		await store.runPersonCommands([{ kind: 'create_edge', name, keyHash: newId(), keyTail: 'tail' }], nowMs - DAY_MS);
	}
	await store.writeNotes([edgeUse('eu-1', nowMs + 3_600_000, 9, 1), edgeUse('us-1', nowMs - 3_600_000, 9, 1)], nowMs);
	await store.close();
}

/** What is used on a day so long ago, and reports of a name that is not known. */
async function use(config: Config, names: readonly string[], ago: number, nowMs: number): Promise<void> {
	const atMs = nowMs - ago * DAY_MS;
	const reading = (username: string, edge: string, bytesDown: number): CounterReading => ({
		...{ edge, counter: `${username} ${ago}`, username, atMs, edgeBytesPerMs: Number.POSITIVE_INFINITY },
		...{ bytesUp: Math.round(bytesDown / 9), bytesDown },
	});
	const readings = names.map((name, index) =>
		reading(`${name}.${(ago % 3) + 1}`, EDGES[index] ?? '', ((ago * 13 + index * 5) % 17) * (GB / 20)),
	);
	const store = await openStore(config);
	await store.recordUsage([...readings, ...(ago % 5 === 0 ? [reading('nobody.known', 'eu-1', 1)] : [])], atMs);
	await store.close();
}
