import assert from 'node:assert/strict';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { png } from '@bursar/testing/png';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { createBank } from '../../src/bank/bank.ts';
import { importUsage } from '../../src/cli/usage-import.ts';
import { readConfig } from '../../src/config.ts';
import { newToken } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import { readMasterKey } from '../../src/store/secrets/master-key.ts';
import {
	allowSignIn,
	createNothing,
	createReseller,
	createSubUser,
	createToken,
	creditReseller,
	deleteSubUser,
	giveBalance,
	postUsage,
	reading,
	resetAuthKey,
	rotateToken,
	setLimits,
	setNote,
	setPrice,
	setSignInIps,
	suspendSubUser,
	takeBalance,
} from './commands.ts';
import { inserts, peopleRows, type TableRows, webhookRows } from './people-rows.ts';
import { usageReports } from './usage-reports.ts';

const RESELLERS = ['acme', 'umbrella', 'zeta.corp'];

export interface FilledStore {
	readonly dataDir: string;
	/** By reseller. The token of acme was rotated; its previous token still works. */
	readonly tokens: Readonly<Record<string, readonly string[]>>;
	/** A file with the reports that the store has counted. */
	readonly reports: string;
}

/** A store with data of every kind. */
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
						{ ...giveBalance(reseller, username, 700), reference: `order-${username}` },
						{ ...takeBalance(reseller, username, 33), requestId: `take from ${username}`, note: 'back: ölga' },
					];
				}),
				{ ...createNothing(reseller), changeId: 'change-number-01' },
				{ ...paid(reseller, 5_000, 'invoice of'), reason: 'Thank you: ölga' },
				paid(reseller, -1_000, 'correction for'),
			]),
			{ ...resetAuthKey('acme', 'alice.acme'), changeId: 'change-number-02' },
			{ ...rotateToken('acme', '', 240_000), ...token('acme') },
			setLimits('acme', 'bob_2.acme', { dayBytes: 5_000, allowedIps: ['192.0.2.0/24', '2001:db8::1'] }),
			setNote('acme', 'bob_2.acme', 'pays late: ölga'),
			suspendSubUser('zeta.corp', 'alice.zeta'),
			allowSignIn('acme'),
			setSignInIps('acme', 'alice.acme', '192.0.2.7', '2001:db8::7', '2001:db8:0:1::/64'),
			createSubUser('zeta.corp', 'gone.zeta'),
			giveBalance('zeta.corp', 'gone.zeta', 5),
			deleteSubUser('zeta.corp', 'gone.zeta'),
			{ ...createToken('zeta.corp', 'further'), allowedIps: ['192.0.2.0/24'], endsAtMs: store.nowMs() + 86_400_000 },
		],
		store.nowMs(),
	);
	assert.ok(answer.kind === 'committed' && answer.faults.length === 0);
	// The import below deletes the id of this old report.
	const longAgoMs = store.nowMs() - 200 * 86_400_000;
	const old = { source: 'eu-1', id: 'old', username: 'acme', atMs: longAgoMs, bytesUp: 1, bytesDown: 1 };
	assert.equal((await store.recordUsage([old], longAgoMs)).kind, 'committed');
	const reports = join(dataDir, 'reports.ndjson');
	writeFileSync(reports, usageReports(['alice.acme', 'bob_2.umbr', 'acme'], 500));
	const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
	const counts = await importUsage(bank, createReadStream(reports), { onRefused: async () => {}, onProgress() {} });
	assert.deepEqual(counts, { counted: 500, repeated: 0, refused: 0 });
	const edges = await Promise.all(
		['eu-1', 'eu-2'].map((name) => bank.changePerson({ kind: 'create_edge', name, keyHash: name, keyTail: 'tail' })),
	);
	assert.ok(edges.every(({ ok }) => ok));
	assert.ok((await bank.changePerson({ kind: 'revoke_edge', name: 'eu-2' })).ok);
	const known = { username: 'alice.acme', atMs: store.nowMs() };
	assert.ok((await bank.recordUsage('edge:eu-1', [reading(0, 0, known)])).ok);
	assert.ok((await bank.submit(setPrice('acme', 1_000_000))).ok);
	const metered = reading(12_345_678, 0, { ...known, counter: 'metered', atMs: store.nowMs() });
	assert.ok((await bank.recordUsage('edge:eu-1', [metered])).ok);
	assert.ok((await bank.submit(postUsage('acme', 'alice.acme'))).ok);
	await bank.stop();
	const nowMs = store.nowMs();
	await store.close();
	addPeople(dataDir, nowMs);
	return { dataDir, tokens, reports };
}

/** A request has one payment. */
function paid(reseller: string, cents: number, what: string) {
	const reference = `${what} ${reseller}`;
	return { ...creditReseller(reseller, cents, reference), requestId: reference };
}

/** A bound of a reseller and its alarm, a token of a program of the operator, open connections, a refusal, a counter of 1.0.0-rc.1, a refused report, a correction, a pace, and two verifications of the ledger: one has ended, one runs. */
function businessRows(nowMs: number): TableRows {
	const verification = { started_by: 'olga@bursar.example', started_at_ms: nowMs, noted_at_ms: nowMs, steps: 14 };
	return {
		operator_tokens: [
			{
				...{ id: 'id', hash: 'hash', name: 'billing', tail: 'tail', scopes: 'money:write usage:read' },
				...{ made_at_ms: nowMs, made_by: 'root', expires_at_ms: nowMs, last_used_at_ms: null },
			},
		],
		brand: [
			{
				...{ number: 1, name: 'Nörd', color: '#0b7285', logo: png().toString('base64') },
				...{ legal_name: 'Nörd GmbH', address: 'Pier 1\n20457 Hamburg', tax_number: 'DE1' },
			},
		],
		payments: [
			{
				...{ id: `pay_${'1'.repeat(22)}`, reseller: 'acme', provider: 'stripe', is_live: 1, amount_cents: 5_000 },
				...{ created_at_ms: nowMs, object_id: 'cs_1', intent_id: 'pi_1', state: 'open', settled_cents: 0 },
				...{ refunded_cents: 0, disputed_cents: 0, booked_cents: 0, postings: 0, findings: '', failed_reads: 0 },
				...{ next_read_at_ms: nowMs, reads_begun: 1, last_read: 1 },
			},
		],
		low_balances: [{ reseller: 'acme', low_balance_cents: 5_000 }],
		alarms: [{ kind: 'low_balance', subject: 'acme', since_ms: nowMs }],
		open_connections: [{ username: 'bob_2.acme', edge: 'eu-1', open: 2, at_ms: nowMs }],
		open_in_processes: [{ username: 'bob_2.acme', edge: 'eu-2', process: 'k3Xw9', open: 1, at_ms: nowMs }],
		account_refusals: [
			{
				...{ username: 'bob_2.acme', hour: Math.floor(nowMs / 3_600_000), reason: 'limit_reached', count: 3 },
				...{ at_ms: nowMs, edge: 'eu-1', network: '192.0.2.0/24' },
			},
		],
		usage_counters: [
			{ edge: 'eu-1', counter: 'gost', username: 'alice.acme', bytes_up: 0, bytes_down: 0, seen_day: null },
		],
		usage_refusals: [
			{
				...{ kind: 'edge', source: 'eu-1', username: 'nobody', reason: 'unknown_username', name: 'c1', at_ms: nowMs },
				...{ bytes_up: 1, bytes_down: null, arrived_at_ms: nowMs, reports: 3 },
			},
		],
		usage_corrections: [
			{
				...{ reference: 'fix', reseller: 'acme', username: 'acme', day: 20_000, bytes_up: -1, bytes_down: 0 },
				...{ reason: 'why', made_by: 'root', request_id: 'cli-1', made_at_ms: nowMs },
			},
		],
		usage_paces: [{ edge: 'eu-1', reseller: 'acme', spent_to_ms: nowMs, refused_at_ms: null }],
		verifications: [
			{ ...verification, id: 'v1', ended_at_ms: nowMs, done: 14, result: '{"problems":0}' },
			{ ...verification, id: 'v2', ended_at_ms: null, done: 3, result: null },
		],
	};
}

function addPeople(dataDir: string, nowMs: number): void {
	const seal = createKeySeal(readMasterKey(join(dataDir, 'master.key'), 'the file'));
	const database = new Database(join(dataDir, 'bursar.db'));
	const rows = { ...peopleRows('acme', seal, nowMs), ...webhookRows('acme', seal, nowMs), ...businessRows(nowMs) };
	// Each commit is written to the disk.
	database.transaction(() => {
		for (const { sql, values } of inserts(rows, 'SQLite')) database.prepare(sql).run(values);
	})();
	database.close();
}
