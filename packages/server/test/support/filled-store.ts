import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { newToken } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	resetAuthKey,
	rotateToken,
	takeBalance,
} from './commands.ts';
import { usageReports } from './usage-reports.ts';

const RESELLERS = ['acme', 'umbrella', 'zeta.corp'];

export interface FilledStore {
	readonly dataDir: string;
	/** By reseller; that of acme has been rotated, and the one before it lives on. */
	readonly tokens: Readonly<Record<string, readonly string[]>>;
	/** Reports that it has counted, in a file. */
	readonly reports: string;
}

/** A store in which something of everything has happened. */
export async function filledStore(t: TestContext): Promise<FilledStore> {
	const dataDir = temporaryFolder(t);
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
	const tokens: Record<string, string[]> = {};
	const token = (reseller: string) => {
		const made = newToken();
		tokens[reseller] = [...(tokens[reseller] ?? []), made.token];
		return { tokenHash: made.tokenHash, tokenTail: made.tokenTail };
	};
	const answer = await store.runCommands(
		[
			...RESELLERS.flatMap((reseller) => [
				{ ...createReseller(reseller, 100_000), ...token(reseller) },
				...['alice', 'bob_2', 'c.d.e'].flatMap((name) => {
					const username = `${name}.${reseller.slice(0, 4)}`;
					return [
						createSubUser(reseller, username),
						giveBalance(reseller, username, 700),
						takeBalance(reseller, username, 33),
					];
				}),
				createNothing(reseller),
				creditReseller(reseller, 5_000, `invoice of ${reseller}`),
				creditReseller(reseller, -1_000, `correction for ${reseller}`),
			]),
			resetAuthKey('acme', 'alice.acme'),
			{ ...rotateToken('acme', '', 240_000), ...token('acme') },
		],
		store.nowMs(),
	);
	assert.ok(answer.kind === 'committed' && answer.faults.length === 0);
	// Its name is forgotten with the import below.
	const longAgoMs = store.nowMs() - 200 * 86_400_000;
	const old = { source: 'eu-1', id: 'old', username: 'acme', atMs: longAgoMs, bytesUp: 1, bytesDown: 1 };
	assert.equal((await store.recordUsage([old], longAgoMs)).kind, 'committed');
	await store.close();
	const reports = join(dataDir, 'reports.ndjson');
	writeFileSync(reports, usageReports(['alice.acme', 'bob_2.umbr', 'acme'], 500));
	assert.equal((await runBursar(t, dataDir, ['usage', 'import', reports])).code, 0);
	return { dataDir, tokens, reports };
}
