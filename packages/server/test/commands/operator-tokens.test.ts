import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateOperatorToken } from '../../src/commands/operators/tokens.ts';
import { NOON_MS } from '../support/commands.ts';
import { runsOf } from '../support/people-in-memory.ts';
import { accept, by, invite } from '../support/person-commands.ts';

const DAY_MS = 86_400_000;

function createOperatorToken(name: string, more: Partial<CreateOperatorToken> = {}): CreateOperatorToken {
	return {
		...{ kind: 'create_operator_token', id: `id of ${name}`, tokenHash: `hash of ${name}`, tokenTail: 'tail' },
		...{ madeBy: 'root', name, scopes: ['resellers:read'], endsAtMs: NOON_MS + DAY_MS },
		...more,
	};
}

const END = { kind: 'end_operator_token', name: 'billing' } as const;

test('a token is made with its scopes and its end, is ended by its name, and that name is free then', () => {
	const { people, run } = runsOf();
	const create = createOperatorToken('billing', { scopes: ['resellers:read', 'money:write'] });
	assert.equal(run(create), 'ok');
	assert.deepEqual(people.operatorTokens.get(create.id), {
		...{ id: create.id, hash: create.tokenHash, name: 'billing', tail: 'tail', scopes: create.scopes },
		...{ madeAtMs: NOON_MS, madeBy: 'root', expiresAtMs: NOON_MS + DAY_MS },
	});
	assert.equal(run(createOperatorToken('billing')), 'token_exists');
	assert.equal(run(END), 'ok');
	assert.equal(people.operatorTokens.size, 0);
	assert.equal(run(END), 'unknown_token');
	assert.equal(run(createOperatorToken('billing')), 'ok');
});

test('what no token can be is refused', () => {
	const { people, run } = runsOf();
	for (const wrong of [
		...[{ name: '' }, { scopes: [] }, { scopes: ['read'] }, { scopes: ['usage:read', 'usage:read'] }],
		...[{ endsAtMs: NOON_MS }, { endsAtMs: NOON_MS + 366 * DAY_MS + 1 }],
	]) {
		assert.equal(run(createOperatorToken('billing', wrong)), 'invalid_token', JSON.stringify(wrong));
	}
	assert.equal(people.operatorTokens.size, 0);
});

test('at most 100 are good at once; expired ones are forgotten when one is made', () => {
	const { people, run, runAll } = runsOf();
	runAll(...Array.from({ length: 99 }, (_, n) => createOperatorToken(`token ${n}`)));
	runAll(createOperatorToken('short', { endsAtMs: NOON_MS + 1 }));
	assert.equal(run(createOperatorToken('more')), 'too_many_tokens');
	assert.equal(run(createOperatorToken('short', { id: 'new' }), NOON_MS + 1), 'ok');
	assert.deepEqual([people.operatorTokens.size, people.operatorTokens.has('new')], [100, true]);
});

test('only an operator with a proof makes and ends them, and each act counts once', () => {
	const people = [invite('olga', null), accept('olga', 's1'), invite('ada', 'acme'), accept('ada', 's2')];
	const { people: after, run } = runsOf(...people);
	const create = createOperatorToken('billing', by('olga', 's1', 'a1'));
	assert.equal(run(create), 'ok');
	assert.equal(run(create), 'act_repeated');
	assert.equal(run({ ...END, ...by('olga', 's1', 'a2') }, NOON_MS + 300_000), 'proof_required');
	assert.equal(run({ ...END, ...by('ada', 's2', 'a3') }), 'not_allowed');
	assert.equal(after.operatorTokens.size, 1);
	assert.equal(run({ ...END, ...by('olga', 's1', 'a4') }), 'ok');
});
