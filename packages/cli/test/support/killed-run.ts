import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { usd } from '@bursar/contract/usd';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Bursarctl, rowsIn } from './bursarctl.ts';
import { openShop } from './shop.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
/** Also the number of transfers. */
export const SUB_USERS = isLong ? 300 : 110;
export const KILLS = isLong ? 6 : 2;
export const OPENING_CENTS = 1_000_000;

export interface Transfer {
	readonly line: number;
	readonly username: string;
	readonly cents: number;
}

/** Lines that the journal begins and does not end: only a kill leaves such lines. */
export function cutOff(journal: string): number[] {
	const states = new Map<number, string>();
	for (const text of readFileSync(journal, 'utf8').split('\n').slice(1, -1)) {
		const { line, state } = JSON.parse(text);
		states.set(line, state);
	}
	return [...states].filter(([, state]) => state === 'begun').map(([line]) => line);
}

/** Kills a run at a random point. Returns how many lines that has cut off, and the printed rows. */
export async function killInTheMiddle(bursarctl: Bursarctl, args: readonly string[], journal: string, random: Random) {
	const sizeOf = () => (existsSync(journal) ? statSync(journal).size : 0);
	const killAt = sizeOf() + 300 + random.below(30 * SUB_USERS);
	const { child, ended } = bursarctl.spawn(args);
	let isEnded = false;
	void ended.then(() => {
		isEnded = true;
	});
	while (!isEnded && sizeOf() < killAt) await setTimeout(1);
	await setTimeout(random.below(8));
	child.kill('SIGKILL');
	const { stdout } = await ended;
	return { cut: cutOff(journal).length, rows: wholeRows(stdout) };
}

/** All complete rows: the kill may have torn the last one. */
function wholeRows(stdout: string) {
	return rowsIn(stdout.slice(0, stdout.lastIndexOf('\n') + 1));
}

/** Ten sub-users, and a file of transfers to them. */
export async function transferShop(t: TestContext) {
	const random = randomFrom(printedSeed(t));
	const { bursarctl, service, token } = await openShop(t, OPENING_CENTS);
	const folder = temporaryFolder(t);
	const names = Array.from({ length: 10 }, (_, index) => `user.${index}`);
	writeFileSync(join(folder, 'names'), names.join('\n'));
	await bursarctl.print('sub-user', 'create', '--all', join(folder, 'names'), '--yes');
	const transfers = Array.from(
		{ length: SUB_USERS },
		(_, index): Transfer => ({
			line: index + 1,
			username: names[random.below(names.length)] as string,
			cents: 1 + random.below(9),
		}),
	);
	const file = join(folder, 'transfers');
	const journal = `${file}.journal`;
	writeFileSync(file, transfers.map(({ username, cents }) => `${username},${usd(cents)}\n`).join(''));
	return {
		bursarctl,
		service,
		token,
		random,
		file,
		transfers,
		journal,
		args: ['balance', 'give', '--all', file, '--yes', '--json'],
		/** Runs and kills it several times. Returns how many lines are cut off at the end. */
		async kill(give: readonly string[]) {
			const cuts: number[] = [];
			for (let kill = 0; kill < KILLS; kill++) {
				cuts.push((await killInTheMiddle(bursarctl, give, journal, random)).cut);
			}
			t.diagnostic(`lines cut off after each kill: ${cuts.join(', ')}`);
			return cuts.at(-1) ?? 0;
		},
	};
}

export function sums(transfers: readonly Transfer[]): Record<string, number> {
	const balanceOf: Record<string, number> = {};
	for (const { username, cents } of transfers) balanceOf[username] = (balanceOf[username] ?? 0) + cents;
	return balanceOf;
}

export async function balances(bursarctl: Bursarctl): Promise<Record<string, number>> {
	const list: { username: string; balance_usd_cents: number }[] = await bursarctl.json('sub-user', 'list');
	return Object.fromEntries(list.map((row) => [row.username, row.balance_usd_cents]));
}
