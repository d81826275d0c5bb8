import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/domain/command.ts';
import { decide } from '../../../src/domain/decide.ts';
import { booksOf } from '../../support/books.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	resetAuthKey,
	revokeToken,
	rotateToken,
	takeBalance,
} from '../../support/commands.ts';
import { actOf, sessionOf } from '../../support/person-commands.ts';

const BALANCES = { 'acme/acme': 1000, 'acme/alice': 500, 'other/other': 1000, 'other/bruno': 500 };

/** Every command, for one reseller. */
const COMMANDS = (reseller: string, subUser: string): readonly Command[] => [
	createReseller('third'),
	creditReseller(reseller, 5, 'invoice'),
	createSubUser(reseller, 'newone'),
	createNothing(reseller),
	giveBalance(reseller, subUser, 5),
	takeBalance(reseller, subUser, 5),
	resetAuthKey(reseller, subUser),
	rotateToken(reseller, 'next', 0),
	revokeToken(reseller, 'next'),
];

/** The kinds of commands that a person of this reseller, or an operator, may give. */
function allowed(worksFor: string | null, commands: readonly Command[]): readonly string[] {
	const books = booksOf({ balances: BALANCES, sessions: [{ ...sessionOf('ada', 's1'), reseller: worksFor }] });
	return commands.flatMap((command) => {
		try {
			decide(books, { ...command, act: actOf('ada', 's1', 'act', command.kind) }, NOON_MS);
			return [command.kind];
		} catch (cause) {
			assert.match(String(cause), /the person of an act may not do this/);
			return [];
		}
	});
}

test('an operator creates and credits resellers and ends their tokens, and does nothing else with money or tokens', () => {
	const ofOperators = ['create_reseller', 'credit_reseller', 'revoke_token'];
	assert.deepEqual(allowed(null, COMMANDS('acme', 'alice')), ofOperators);
});

test('a person of a reseller does everything of that reseller that the API and its pages do, and nothing else', () => {
	assert.deepEqual(allowed('acme', COMMANDS('acme', 'alice')), [
		...['create_sub_user', 'create_sub_user', 'give_balance', 'take_balance', 'reset_auth_key'],
		...['rotate_token', 'revoke_token'],
	]);
	assert.deepEqual(allowed('acme', COMMANDS('other', 'bruno')), []);
});
