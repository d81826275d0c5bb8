import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Command } from '../../src/commands/registry.ts';
import type { Config } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import { dialog } from './dashboard-steps.ts';

const COMMANDS_AT_ONCE = 500;

/** Runs commands in the store of a service, as programs and the operator's commands do. `atMs` is when; by default now. */
export async function runInStore(config: Config, commands: readonly Command[], atMs?: number): Promise<void> {
	const store = await openStore(config);
	try {
		for (let start = 0; start < commands.length; start += COMMANDS_AT_ONCE) {
			const batch = commands.slice(start, start + COMMANDS_AT_ONCE);
			const answer = await store.runCommands(batch, atMs ?? store.nowMs());
			assert.ok(answer.kind === 'committed' && answer.results.every(({ ok }) => ok), JSON.stringify(answer));
		}
	} finally {
		await store.close();
	}
}

/** A button by its whole name, in the dialog with this title. */
export function buttonIn(page: Page, title: string, name: string): Locator {
	return dialog(page, title).getByRole('button', { name, exact: true }).last();
}

/** Where the page could have kept a text: what it stores, its address, its history, what it has read, and its answers to changes. */
export async function placesOf(page: Page, text: string): Promise<readonly string[]> {
	return page.evaluate<readonly string[]>(`(${FIND_PLACES})(${JSON.stringify(text)})`);
}

const FIND_PLACES = `async (text) => {
	const databases = await indexedDB.databases();
	const cachedAnswers = await caches.keys();
	const root = document.getElementById('root');
	const fibers = [root[Object.keys(root).find((key) => key.startsWith('__reactContainer'))]];
	let client;
	while (fibers.length > 0 && !client) {
		const fiber = fibers.pop();
		client = fiber.memoizedProps?.client?.getQueryCache && fiber.memoizedProps.client;
		fibers.push(...[fiber.child, fiber.sibling].filter(Boolean));
	}
	const places = {
		local: { ...localStorage },
		session: { ...sessionStorage },
		databases,
		cachedAnswers,
		cookies: document.cookie,
		address: location.href,
		history: history.state,
		title: document.title,
		read: client.getQueryCache().getAll().map(({ queryKey, state }) => ({ queryKey, state })),
		changed: client.getMutationCache().getAll().map(({ state }) => state),
	};
	if (places.read.length === 0) throw new Error('what the page has read was not found');
	return Object.keys(places).filter((place) => JSON.stringify(places[place] ?? '').includes(text));
}`;
