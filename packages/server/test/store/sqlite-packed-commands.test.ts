import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@bursar/testing/any-character';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { refuse } from '../../src/commands/command.ts';
import type { GiveBalance, TakeBalance } from '../../src/commands/money/give-take.ts';
import type { Command, Outcome } from '../../src/commands/registry.ts';
import type { PersonAct } from '../../src/domain/people/act.ts';
import { receivePacked, sendPacked } from '../../src/store/sqlite/writing/packed-commands.ts';
import { creditReseller, giveBalance, resetAuthKey, revokeToken, takeBalance } from '../support/commands.ts';

const ACT: PersonAct = {
	id: 'act',
	person: 'p@example.com',
	session: 's',
	address: '192.0.2.1',
	kind: 'give_balance',
	target: 'alice',
	requestId: 'test-request',
};

const text = fc.string({ unit: anyCharacter, maxLength: 12 });
const cents = fc.oneof(fc.maxSafeInteger(), fc.double());
const movement: fc.Arbitrary<Command> = fc
	.record({
		...{ reseller: text, username: text, cents, requestId: text, isGive: fc.boolean(), hasAct: fc.boolean() },
		changeId: fc.option(text, { nil: undefined }),
		reference: fc.option(text, { nil: undefined }),
		note: fc.option(text, { nil: undefined }),
		program: fc.option(fc.record({ tokenTail: text, address: text }, { noNullPrototype: true }), { nil: undefined }),
	})
	.map(({ reseller, username, cents, requestId, changeId, reference, isGive, hasAct, note, program }) => {
		const command = (isGive ? giveBalance : takeBalance)(reseller, username, cents);
		return {
			...{ ...command, requestId },
			...(changeId !== undefined && { changeId }),
			...(reference !== undefined && { reference }),
			...(hasAct && { act: ACT }),
			...(note !== undefined && { note }),
			...(program && { program }),
		};
	});
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
	{ weight: 3, arbitrary: movement },
	fc.tuple(text, text).map(([reseller, username]) => resetAuthKey(reseller, username)),
	fc
		.tuple(text, fc.integer(), text)
		.map(([reseller, amount, reference]) => creditReseller(reseller, amount, reference)),
	fc.tuple(text, text).map(([reseller, hash]) => revokeToken(reseller, hash)),
);

/** Runs commands as if in the other thread. Returns what crossed and what arrived. */
async function cross(commands: readonly Command[], results: readonly Outcome[]) {
	const crossed: unknown[] = [];
	let arrived: readonly Command[] = [];
	const answer = await sendPacked(commands, async (packed) => {
		const answered = receivePacked(structuredClone(packed), (unpacked) => {
			arrived = unpacked;
			return { kind: 'committed', results, faults: [] };
		});
		crossed.push(packed, answered.kind === 'committed' ? answered.results : answered);
		return structuredClone(answered);
	});
	return { crossed, arrived, results: answer.kind === 'committed' ? answer.results : answer };
}

test('commands of any kind come out of the other thread as they were sent, and outcomes come back as they were', async (t) => {
	const pairs = fc.array(fc.tuple(anyCommand, fc.nat(), fc.boolean()), { maxLength: 20 });
	const property = fc.asyncProperty(pairs, async (chosen) => {
		const commands = chosen.map(([command]) => command);
		const outcomes = chosen.map(([command, cents, isOk]) => (isOk ? success(command, cents) : refuse('not_done')));
		const { arrived, results } = await cross(commands, outcomes);
		assert.deepEqual(arrived, commands);
		assert.deepEqual(results, outcomes);
	});
	await fc.assert(property, { seed: printedSeed(t), numRuns: 500 });
});

test('gives and takes cross without an object, and without their expiry', async () => {
	// All fields that there are: a new one does not compile here until it is packed.
	const program = { tokenTail: 'Ab12', address: '192.0.2.1' };
	const changeId = 'change-number-01';
	const reference = 'order-1';
	const other = {
		requestId: 'test-request',
		changeId,
		reference,
		expiresAtMs: 7,
		act: undefined,
		note: undefined,
		program,
	};
	const give: AllFields<GiveBalance> = {
		kind: 'give_balance',
		reseller: 'acme',
		username: 'alice',
		amountCents: 5,
		...other,
	};
	const take: AllFields<TakeBalance> = {
		kind: 'take_balance',
		reseller: 'acme',
		username: 'bruno',
		amountCents: 6,
		...other,
	};
	const { crossed, arrived } = await cross([give, take], [success(give, 8), success(take, 9)]);
	const rest = ['test-request', changeId, reference, 'Ab12', '192.0.2.1'];
	assert.deepEqual(crossed, [
		[...[0, 'acme', 'alice', 5, ...rest], ...[1, 'acme', 'bruno', 6, ...rest]],
		[8, 9],
	]);
	assert.deepEqual(arrived, [
		{ ...giveBalance('acme', 'alice', 5), changeId, reference, program },
		{ ...takeBalance('acme', 'bruno', 6), changeId, reference, program },
	]);
});

/** Optional fields may be `undefined`, but must be named. */
type AllFields<Fields> = { readonly [Name in keyof Required<Fields>]: Fields[Name & keyof Fields] };

/** What the rules answer if they do the command. */
function success(command: Command, balanceCents: number): Outcome {
	switch (command.kind) {
		case 'give_balance':
		case 'take_balance':
			return { ok: true, username: command.username, balanceCents };
		case 'credit_reseller':
			return { ok: true, username: command.reseller, balanceCents, repeated: false };
		case 'reset_auth_key':
			return { ok: true, username: command.username, proxyAuthkey: command.proxyAuthkey };
		default:
			return { ok: true, previousExpiresAtMs: 5 };
	}
}
