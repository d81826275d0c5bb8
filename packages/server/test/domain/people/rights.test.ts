import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type Role } from '@bursar/contract/dashboard';
import type { Command } from '../../../src/domain/command.ts';
import { decide } from '../../../src/domain/decide.ts';
import { booksOf } from '../../support/books.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	forgiveDebt,
	giveBalance,
	NOON_MS,
	postUsage,
	resetAuthKey,
	resumeReseller,
	revokeToken,
	rotateToken,
	setLimits,
	setNote,
	setPrice,
	suspendReseller,
	suspendSubUser,
	takeBalance,
} from '../../support/commands.ts';
import { actOf, sessionOf } from '../../support/person-commands.ts';

const DEBTS = { acme: 1, other: 1 };
const BALANCES = { 'acme/acme': 1000, 'acme/alice': 500, 'other/other': 1000, 'other/bruno': 500 };

type Asker = Role | 'operator';
const ASKERS: readonly Asker[] = [...ROLES, 'operator'];

/** Who may give each command, with one for a reseller. */
const COMMANDS: {
	readonly [Kind in Command['kind']]: readonly [
		(reseller: string, subUser: string) => Extract<Command, { readonly kind: Kind }>,
		...Asker[],
	];
} = {
	create_sub_user: [(reseller) => createSubUser(reseller, 'newone'), 'owner', 'manager'],
	give_balance: [(reseller, subUser) => giveBalance(reseller, subUser, 5), 'owner', 'manager'],
	take_balance: [(reseller, subUser) => takeBalance(reseller, subUser, 5), 'owner', 'manager'],
	reset_auth_key: [resetAuthKey, 'owner', 'manager'],
	suspend_sub_user: [suspendSubUser, 'owner', 'manager'],
	resume_sub_user: [(...of) => ({ ...suspendSubUser(...of), kind: 'resume_sub_user' }), 'owner', 'manager'],
	set_limits: [(reseller, subUser) => setLimits(reseller, subUser, { connections: 1 }), 'owner', 'manager'],
	set_note: [(reseller, subUser) => setNote(reseller, subUser, 'a note'), 'owner', 'manager'],
	delete_sub_user: [deleteSubUser, 'owner', 'manager'],
	rotate_token: [(reseller) => rotateToken(reseller, 'next', 0), 'owner'],
	revoke_token: [(reseller) => revokeToken(reseller, 'next'), 'owner', 'operator'],
	create_reseller: [() => createReseller('third'), 'operator'],
	credit_reseller: [(reseller) => creditReseller(reseller, 5, 'invoice'), 'operator'],
	set_price: [(reseller) => setPrice(reseller, 1), 'operator'],
	forgive_debt: [(reseller) => forgiveDebt(reseller, 1), 'operator'],
	suspend_reseller: [suspendReseller, 'operator'],
	resume_reseller: [resumeReseller, 'operator'],
	post_usage: [postUsage],
};

/** How a command ends that this person of acme, or an operator, gives in a live session. */
function endingOf(command: Command, asker: Asker): string {
	const worksFor = asker === 'operator' ? { reseller: null, role: null } : { reseller: 'acme', role: asker };
	const books = booksOf({ balances: BALANCES, debts: DEBTS, sessions: [{ ...sessionOf('ada', 's1'), ...worksFor }] });
	const act = actOf('ada', 's1', 'act', command.kind);
	const { outcome, effects } = decide(books, { ...command, act } as Command, NOON_MS);
	for (const effect of effects) {
		if (effect.kind === 'record_act') assert.equal(effect.act.reseller, command.reseller);
	}
	return outcome.ok ? 'ok' : outcome.error;
}

for (const [kind, [commandFor, ...allowed]] of Object.entries(COMMANDS)) {
	test(`${kind} is given by ${allowed.join(', ') || 'nobody on the dashboard'}, and by no one else`, () => {
		for (const asker of ASKERS) {
			const isAllowed = allowed.includes(asker);
			assert.equal(endingOf(commandFor('acme', 'alice'), asker), isAllowed ? 'ok' : 'not_allowed', asker);
			if (asker === 'operator' || kind === 'create_reseller') continue;
			assert.equal(endingOf(commandFor('other', 'bruno'), asker), 'not_allowed', `${asker}, of another reseller`);
		}
	});
}
