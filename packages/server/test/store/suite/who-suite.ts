import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneyTarget, readActDetails } from '@bursar/contract/dashboard';
import type { Command } from '../../../src/commands/registry.ts';
import type { CommandLineAct, OperatorProgramAct } from '../../../src/domain/people/act.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	resetAuthKey,
	resumeReseller,
	setLimits,
	setPrice,
	suspendReseller,
	takeBalance,
} from '../../support/commands.ts';
import { accept, actOf, emailOf, invite, setLowBalance } from '../../support/person-commands.ts';
import { type Engine, endings, run, runAll, runAllPeople, runPeople } from './engine.ts';

const PROGRAM = { tokenTail: 'Ab12', address: '198.51.100.7' };
const NEWEST = Number.MAX_SAFE_INTEGER;

function commandLineAct(kind: string): CommandLineAct {
	return { id: `act ${kind}`, kind, target: '', requestId: 'cli', systemUser: 'root' };
}

/** Tests that the store knows who did what: people, programs, and the command line. */
export function whoSuite(engine: Engine): void {
	test('a movement over the API has the token and the address of its program, and a fee the name that was asked for', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000)]);
		const by = (requestId: string) => ({ program: PROGRAM, requestId });
		const commands = [
			{ ...createSubUser('acme', 'alice'), ...by('r1') },
			{ ...createSubUser('acme', 'alice'), ...by('r2') },
			{ ...createNothing('acme'), ...by('r3') },
			{ ...giveBalance('acme', 'alice', 50), ...by('r4') },
			{ ...takeBalance('acme', 'alice', 20), ...by('r5') },
			{ ...giveBalance('acme', 'alice', 5), requestId: 'r6' },
		];
		await run(store, commands);
		const { rows } = await store.listMovements({ reseller: 'acme', before: NEWEST, limit: 6 });
		const { tokenTail, address } = PROGRAM;
		assert.deepEqual(
			rows.map((row) => [row.requestId, row.tokenTail, row.address, row.aboutUsername]),
			[
				['r6', null, null, null],
				['r5', tokenTail, address, null],
				['r4', tokenTail, address, null],
				['r3', tokenTail, address, null],
				['r2', tokenTail, address, 'alice'],
				['r1', tokenTail, address, 'alice'],
			],
		);
	});

	test('a new key over the API is an act of its program, found by its request; a refused one is none', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000), createSubUser('acme', 'alice')]);
		const reset = { ...resetAuthKey('acme', 'alice'), program: PROGRAM, requestId: 'r1' };
		const refused = { ...resetAuthKey('acme', 'nobody'), program: PROGRAM, requestId: 'r2' };
		assert.deepEqual(endings(await run(store, [reset, refused])), ['ok', 'unknown_sub_user']);
		const expected = {
			...{ kind: 'reset_auth_key', target: 'alice', details: null, atMs: NOON_MS, requestId: 'r1', reseller: 'acme' },
			...{ ...PROGRAM, email: null, emailReseller: null, operatorToken: null, systemUser: null },
		};
		const { rows } = await store.searchActs({ before: NEWEST, limit: 5 });
		assert.deepEqual(
			rows.map(({ number: _, ...row }) => row),
			[expected],
		);
		const found = await store.findRequest('r1');
		assert.deepEqual([found.movements, found.acts], [[], rows]);
		for (const id of ['', 'r', 'R1', 'r1 ']) {
			assert.deepEqual(await store.findRequest(id), { movements: [], acts: [] }, id);
		}
	});

	test('what the command line does is an act of the system user, in the transaction of its effect', async (t) => {
		const { store } = await engine.open(t);
		const act = (id: string, kind: string, target: string): CommandLineAct => {
			return { id, kind, target, requestId: 'cli-1', systemUser: 'root (ann)' };
		};
		await runAll(store, [
			{ ...createReseller('acme', 100), act: act('a1', 'create_reseller', 'acme'), requestId: 'cli-1' },
		]);
		const tooMuch = { ...creditReseller('acme', -500, 'x'), act: act('a2', 'adjust', 'acme 500') };
		assert.deepEqual(endings(await run(store, [tooMuch])), ['insufficient_balance']);
		await runAllPeople(store, [
			{ ...invite('ada', 'acme'), unattended: act('a3', 'invite_person', emailOf('ada')) },
			{ kind: 'create_edge', name: 'gw', keyHash: 'h', keyTail: 'tail', unattended: act('a4', 'create_edge', 'gw') },
			{ kind: 'revoke_edge', name: 'gw', unattended: act('a5', 'revoke_edge', 'gw') },
			{ kind: 'revoke_edge', name: 'gw', unattended: act('a6', 'revoke_edge', 'gw') },
			{ kind: 'import_usage', recorded: act('a7', 'import_usage', 'reports.ndjson') },
		]);
		const locked = {
			kind: 'lock_person',
			email: 'nobody@example.com',
			unattended: act('a8', 'lock_person', ''),
		} as const;
		assert.deepEqual(endings(await runPeople(store, [locked])), ['unknown_person']);
		const { movements, acts } = await store.findRequest('cli-1');
		assert.deepEqual(
			acts.map(({ kind, target, systemUser, address, email, reseller }) => [
				...[kind, target, systemUser, address, email, reseller],
			]),
			[
				['create_reseller', 'acme', 'root (ann)', null, null, 'acme'],
				['invite_person', emailOf('ada'), 'root (ann)', null, null, 'acme'],
				['create_edge', 'gw', 'root (ann)', null, null, null],
				['revoke_edge', 'gw', 'root (ann)', null, null, null],
				['import_usage', 'reports.ndjson', 'root (ann)', null, null, null],
			],
		);
		assert.deepEqual(
			movements.map(({ kind, amountCents, systemUser }) => [kind, amountCents, systemUser]),
			[['top_up', 100, 'root (ann)']],
		);
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});

	test('what a program of the operator does is an act of its token, once for each id, also if its state held before', async (t) => {
		const { store } = await engine.open(t);
		const token = { operatorToken: 'shop ...x4Kd', address: '192.0.2.9' };
		const act = (id: string, kind: string, requestId = id): OperatorProgramAct => {
			return { id: `operator:${id}`, kind, target: '', requestId, ...token };
		};
		await runAll(store, [
			{ ...createReseller('acme', 0), act: act('a1', 'create_reseller') },
			{ ...creditReseller('acme', 500, 'x'), requestId: 'a2', act: act('a2', 'top_up') },
			{ ...setPrice('acme', 7), requestId: 'a3', act: act('a3', 'set_price') },
			{ ...resumeReseller('acme'), act: act('a4', 'resume_reseller') },
		]);
		const again = [
			{ ...suspendReseller('acme'), act: act('a4', 'suspend_reseller') },
			{ ...creditReseller('acme', 500, 'x'), act: act('a5', 'top_up') },
		];
		assert.deepEqual(endings(await run(store, again)), ['act_repeated', 'ok']);
		await runAllPeople(store, [
			{ ...invite('ada', 'acme'), unattended: act('p1', 'invite_person') },
			{ ...invite('olga', null) },
			{ kind: 'create_edge', name: 'gw', keyHash: 'h', keyTail: 'tail' },
			{ kind: 'revoke_edge', name: 'gw', unattended: act('p2', 'revoke_edge') },
			{ kind: 'revoke_edge', name: 'gw', unattended: act('p3', 'revoke_edge') },
		]);
		const refused = [
			{ ...invite('bea', 'acme'), unattended: act('p1', 'invite_person') },
			{ ...invite('bea', null), unattended: act('p4', 'invite_person') },
			{ ...invite('olga', 'acme'), unattended: act('p5', 'invite_person') },
			{ kind: 'remove_person', email: emailOf('olga'), unattended: act('p6', 'remove_person') },
		] as const;
		assert.deepEqual(endings(await runPeople(store, refused)), [
			'act_repeated',
			...['not_allowed', 'not_allowed', 'not_allowed'],
		]);
		const { rows } = await store.searchActs({ before: NEWEST, limit: 50 });
		assert.deepEqual(
			rows.map(({ requestId, operatorToken, address, reseller, email }) => [
				...[requestId, operatorToken, address, reseller, email],
			]),
			[
				...['p3', 'p2'].map((id) => [id, token.operatorToken, token.address, null, null]),
				...['p1', 'a4', 'a3', 'a2', 'a1'].map((id) => [id, token.operatorToken, token.address, 'acme', null]),
			],
		);
		assert.equal((await store.findAct('operator:a3'))?.kind, 'set_price');
		const { rows: movements } = await store.listMovements({ reseller: 'acme', before: NEWEST, limit: 5 });
		assert.deepEqual(
			movements.map(({ kind, operatorToken }) => [kind, operatorToken]),
			[['top_up', token.operatorToken]],
		);
		assert.deepEqual(
			(await store.listPrices('acme', 5)).map(({ operatorToken, address }) => ({ operatorToken, address })),
			[token],
		);
	});

	test('the activity of a reseller is that of its people and programs, and what operators did to it, and no more', async (t) => {
		const { store } = await engine.open(t);
		const acmes = [createReseller('acme', 1000), createSubUser('acme', 'alice')];
		await runAll(store, [...acmes, createReseller('other', 1000), createSubUser('other', 'bruno')]);
		for (const reseller of ['acme', 'other']) {
			await runAllPeople(store, [invite(`ann of ${reseller}`, reseller), accept(`ann of ${reseller}`, reseller)]);
		}
		await runAllPeople(store, [invite('olga', null), accept('olga', 'of olga')]);
		const by = (person: string, session: string, kind: string) => ({ act: actOf(person, session, kind, kind) });
		await runAll(store, [
			{ ...resetAuthKey('acme', 'alice'), program: PROGRAM, requestId: 'r1' },
			{ ...resetAuthKey('other', 'bruno'), program: PROGRAM, requestId: 'r2' },
			{ ...creditReseller('acme', 5, 'a'), ...by('olga', 'of olga', 'top_up') },
			{ ...giveBalance('other', 'bruno', 5), ...by('ann of other', 'other', 'give_balance') },
		]);
		await runAllPeople(store, [
			setLowBalance('ann of acme', 'acme', 5),
			{ kind: 'lock_person', email: emailOf('ann of other'), unattended: commandLineAct('lock_person') },
			{ kind: 'remove_person', email: emailOf('ann of acme'), unattended: commandLineAct('remove_person') },
		]);
		const newest = { before: NEWEST, limit: 50 };
		const kindsOf = async (query: object) =>
			(await store.searchActs({ ...newest, ...query })).rows.map(({ kind, email }) => [kind, email]);
		const ann = emailOf('ann of acme');
		const ofAnn = [
			['set_low_balance', ann],
			['accept_invitation', ann],
		];
		assert.deepEqual(await kindsOf({ reseller: 'acme' }), [
			...[['remove_person', null], ofAnn[0], ['top_up', emailOf('olga')], ['reset_auth_key', null], ofAnn[1]],
		]);
		assert.deepEqual(
			(await kindsOf({ reseller: 'other' })).map(([kind]) => kind),
			['lock_person', 'give_balance', 'reset_auth_key', 'accept_invitation'],
		);
		assert.deepEqual(await kindsOf({ reseller: 'nobody' }), []);
		// A part of an address must not tell which operators there are.
		for (const emailPart of ['olga', emailOf('olga'), 'of other', emailOf('ann of other')]) {
			assert.deepEqual(await kindsOf({ reseller: 'acme', emailPart }), [], emailPart);
		}
		for (const emailPart of ['ann', ann]) assert.deepEqual(await kindsOf({ reseller: 'acme', emailPart }), ofAnn);
		assert.deepEqual(await kindsOf({ reseller: 'acme', kind: 'top_up' }), [['top_up', emailOf('olga')]]);

		const again = { ...invite('new ann', 'acme'), email: ann };
		await runAllPeople(store, [again, accept('new ann', 'new', again.linkHash)]);
		assert.equal((await kindsOf({ reseller: 'acme', emailPart: ann })).length, 3, 'both had the address');
		const all = await store.searchActsAfter({ reseller: 'acme', after: 0, limit: 50 });
		assert.deepEqual(
			all.rows.map(({ number }) => number),
			(await store.searchActs({ ...newest, reseller: 'acme' })).rows.map(({ number }) => number).reverse(),
		);
	});

	test('the acts about a sub-user are found, with the values that were committed, and those of others are not looked at', async (t) => {
		const { store } = await engine.open(t);
		const acmes = [createReseller('acme', 1000), createSubUser('acme', 'alice'), createSubUser('acme', 'al')];
		await runAll(store, [...acmes, createReseller('other', 1000)]);
		await runAllPeople(store, [invite('ann', 'acme'), accept('ann', 's1')]);
		const byAnn = (command: Command, target: string, id: string) => ({
			...command,
			...{ requestId: id, act: { ...actOf('ann', 's1', id, command.kind, target), requestId: id } },
		});
		await runAll(store, [
			byAnn(giveBalance('acme', 'alice', 30), moneyTarget('alice', 30), 'r1'),
			{ ...setLimits('acme', 'al', { dayBytes: 9 }), program: PROGRAM, requestId: 'r2' },
			byAnn(setLimits('acme', 'alice', { dayBytes: 5 }), 'alice', 'r3'),
		]);
		const taken = { kind: 'create_sub_user', target: 'alice' };
		const late = { ...createSubUser('other', 'alice'), act: { ...commandLineAct('create_sub_user'), ...taken } };
		await run(store, [late]);
		await runAll(store, [byAnn(deleteSubUser('acme', 'alice'), 'alice', 'r4')]);
		const found = async (query: object) =>
			(await store.searchActs({ before: NEWEST, limit: 50, ...query })).rows.map(({ kind, details }) => [
				kind,
				readActDetails(details, 'reseller'),
			]);
		const ofAlice = [
			['delete_sub_user', { moved: 30 }],
			['set_limits', { changed: { day_bytes: [null, 5] } }],
			['give_balance', { moved: 30 }],
		];
		assert.deepEqual(await found({ reseller: 'acme', username: 'alice' }), ofAlice);
		assert.deepEqual(await found({ username: 'alice' }), ofAlice, 'for operators: of the reseller that had it');
		assert.deepEqual(await found({ reseller: 'other', username: 'alice' }), [
			['create_sub_user', { refused: 'username_taken', fee: 10 }],
		]);
		assert.deepEqual(await found({ reseller: 'acme', username: 'alice', kind: 'set_limits' }), [ofAlice[1]]);
		assert.deepEqual(await found({ reseller: 'acme', username: 'alice', emailPart: 'ann' }), ofAlice);
		for (const username of ['', 'nobody']) assert.deepEqual(await found({ username }), [], username);
	});

	test('failed sign-ins are acts of the person, and a flood of them is recorded in part', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), invite('bob', 'acme')]);
		const failure = (person: string, id: string) => ({
			kind: 'record_failure' as const,
			failed: {
				...{ id, kind: 'failed_sign_in', target: 'password', requestId: id },
				...{ person, address: '203.0.113.5' },
			},
			key: `failures of ${person}`,
			limit: { burst: 3, intervalMs: 60_000 },
		});
		const other = await openAnother();
		for (let index = 0; index < 8; index++) {
			await runAllPeople(index % 2 === 0 ? store : other, [failure('ada', `f${index}`)], NOON_MS + index);
		}
		await runAllPeople(store, [failure('bob', 'g0'), failure('nobody', 'h0')], NOON_MS);
		await runAllPeople(store, [failure('ada', 'later')], NOON_MS + 60_010);
		const acts = await store.listActs('ada', NEWEST, 50);
		assert.deepEqual(acts.map(({ id, session, address }) => [id, session, address]).slice(0, 4), [
			['later', null, '203.0.113.5'],
			['f2', null, '203.0.113.5'],
			['f1', null, '203.0.113.5'],
			['f0', null, '203.0.113.5'],
		]);
		assert.deepEqual(await store.listActs('bob', NEWEST, 50), [], 'an invitation that was not accepted');
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});
}
