import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type Role } from '@bursar/contract/dashboard';
import { decide } from '../../../src/commands/decide.ts';
import type { Command } from '../../../src/commands/registry.ts';
import { SESSION_IDLE_MS } from '../../../src/domain/people/person.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { booksOf } from '../../support/books.ts';
import {
	allowSignIn,
	createReseller,
	createSubUser,
	createSubUserWith,
	createToken,
	createWebhook,
	creditReseller,
	deleteSubUser,
	deleteWebhook,
	endToken,
	forgetEvents,
	forgiveDebt,
	furtherTokenOf,
	giveBalance,
	judgeUsable,
	NOON_MS,
	noteReseller,
	postUsage,
	resetAuthKey,
	resumeReseller,
	revokeToken,
	rotateToken,
	rotateWebhookSecret,
	setLimits,
	setNote,
	setPrice,
	setSignInIps,
	suspendReseller,
	suspendSubUser,
	switchOffWebhook,
	takeBalance,
	testWebhook,
	updateWebhook,
} from '../../support/commands.ts';
import {
	askPaymentRead,
	beginPaymentRead,
	createTopUp,
	paymentOf,
	recordPaymentRead,
} from '../../support/payment-commands.ts';
import { actOf, sessionOf } from '../../support/person-commands.ts';

const DEBTS = { acme: 1, other: 1 };
const BALANCES = { 'acme/acme': 1000, 'acme/alice': 500, 'other/other': 1000, 'other/bruno': 500 };

const WEBHOOK: Webhook = {
	...{ id: 'hook', reseller: 'acme', url: 'https://hook.example.com/events', types: null, offReason: null },
	...{ reached: { number: 0 }, failingSinceMs: null, failedTries: 0, nextAtMs: NOON_MS },
	...{ testAtMs: null, createdAtMs: NOON_MS },
};

const PAYMENT = paymentOf('acme', 'pay_1');

const FURTHER = furtherTokenOf(createToken('acme', 'further'));

type Caller = Role | 'operator';
const CALLERS: readonly Caller[] = [...ROLES, 'operator'];

/** Who may give each command, with one for a reseller. */
const COMMANDS: {
	readonly [Kind in Command['kind']]: readonly [
		(reseller: string, subUser: string) => Extract<Command, { readonly kind: Kind }>,
		...Caller[],
	];
} = {
	create_sub_user: [(reseller) => createSubUser(reseller, 'newone')],
	create_sub_user_with: [(reseller) => createSubUserWith(reseller, 'newone', { amountCents: 5 }), 'owner', 'manager'],
	give_balance: [(reseller, subUser) => giveBalance(reseller, subUser, 5), 'owner', 'manager'],
	take_balance: [(reseller, subUser) => takeBalance(reseller, subUser, 5), 'owner', 'manager'],
	reset_auth_key: [resetAuthKey, 'owner', 'manager'],
	suspend_sub_user: [suspendSubUser, 'owner', 'manager'],
	resume_sub_user: [(...of) => ({ ...suspendSubUser(...of), kind: 'resume_sub_user' }), 'owner', 'manager'],
	set_limits: [(reseller, subUser) => setLimits(reseller, subUser, { connections: 1 }), 'owner', 'manager'],
	set_sign_in_ips: [(reseller, subUser) => setSignInIps(reseller, subUser), 'owner', 'manager'],
	set_note: [(reseller, subUser) => setNote(reseller, subUser, 'a note'), 'owner', 'manager'],
	delete_sub_user: [deleteSubUser, 'owner', 'manager'],
	rotate_token: [(reseller) => rotateToken(reseller, 'next', 0), 'owner'],
	revoke_token: [(reseller) => revokeToken(reseller, 'next'), 'owner', 'operator'],
	create_token: [(reseller) => createToken(reseller, 'new'), 'owner'],
	end_token: [(reseller) => endToken(reseller, 'further'), 'owner'],
	create_reseller: [() => createReseller('third'), 'operator'],
	credit_reseller: [(reseller) => creditReseller(reseller, 5, 'invoice'), 'operator'],
	set_price: [(reseller) => setPrice(reseller, 1), 'operator'],
	forgive_debt: [(reseller) => forgiveDebt(reseller, 1), 'operator'],
	create_top_up: [(reseller) => createTopUp(reseller, 5), 'owner', 'manager'],
	ask_payment_read: [(reseller) => askPaymentRead(reseller, PAYMENT.id), 'operator'],
	begin_payment_read: [(reseller) => beginPaymentRead(reseller, PAYMENT.id)],
	record_payment_read: [(reseller) => recordPaymentRead(reseller, PAYMENT, { kind: 'failed' })],
	suspend_reseller: [suspendReseller, 'operator'],
	resume_reseller: [resumeReseller, 'operator'],
	allow_sign_in_by_address: [(reseller) => allowSignIn(reseller), 'operator'],
	note_reseller: [(reseller) => noteReseller(reseller, 'pays late'), 'operator'],
	create_webhook: [(reseller) => createWebhook(reseller, 'new'), 'owner'],
	update_webhook: [(reseller) => updateWebhook(reseller, 'hook', { isEnabled: false }), 'owner'],
	delete_webhook: [(reseller) => deleteWebhook(reseller, 'hook'), 'owner'],
	rotate_webhook_secret: [(reseller) => rotateWebhookSecret(reseller, 'hook', 'new'), 'owner'],
	test_webhook: [(reseller) => testWebhook(reseller, 'hook'), 'owner'],
	switch_off_webhook: [(reseller) => switchOffWebhook(reseller, 'hook')],
	post_usage: [postUsage],
	judge_usable: [judgeUsable],
	forget_events: [(reseller) => forgetEvents(reseller, 0)],
};

/** How a command ends that this person of acme, or an operator, gives in a live session. */
function endingOf(command: Command, caller: Caller): string {
	const worksFor = caller === 'operator' ? { reseller: null, role: null } : { reseller: 'acme', role: caller };
	const sessions = [{ ...sessionOf('ada', 's1'), ...worksFor }];
	const books = booksOf({
		balances: BALANCES,
		debts: DEBTS,
		sessions,
		webhooks: [WEBHOOK],
		tokens: [FURTHER],
		payments: [PAYMENT],
	});
	const act = actOf('ada', 's1', 'act', command.kind);
	const { outcome, effects } = decide(books, { ...command, act } as Command, NOON_MS);
	for (const effect of effects) {
		if (effect.kind === 'record_act') assert.equal(effect.act.reseller, command.reseller);
	}
	return outcome.ok ? 'ok' : outcome.error;
}

for (const [kind, [commandFor, ...allowed]] of Object.entries(COMMANDS)) {
	test(`${kind} is given by ${allowed.join(', ') || 'nobody on the dashboard'}, and by no one else`, () => {
		for (const caller of CALLERS) {
			const isAllowed = allowed.includes(caller);
			assert.equal(endingOf(commandFor('acme', 'alice'), caller), isAllowed ? 'ok' : 'not_allowed', caller);
			if (caller === 'operator' || kind === 'create_reseller') continue;
			assert.equal(endingOf(commandFor('other', 'bruno'), caller), 'not_allowed', `${caller}, of another reseller`);
		}
	});
}

test('a command counts in a live session of its own person, and with a proof where it needs one; its act counts once', () => {
	const session = { ...sessionOf('ada', 's1'), reseller: 'acme', role: 'owner' } as const;
	const act = actOf('ada', 's1', 'act', 'any');
	const ends = (command: Command, nowMs: number, more: Partial<Parameters<typeof booksOf>[0]> = {}) => {
		const books = booksOf({ balances: BALANCES, sessions: [session], ...more });
		const { outcome, effects } = decide(books, { ...command, act } as Command, nowMs);
		return [outcome.ok ? 'ok' : outcome.error, effects.map(({ kind }) => kind)];
	};
	const proofMs = NOON_MS + 300_000;
	const further = [createToken('acme', 'new'), endToken('acme', 'new')];
	for (const token of [rotateToken('acme', 'next', 0), revokeToken('acme', 'next'), ...further]) {
		assert.deepEqual(ends(token, proofMs), ['proof_required', []]);
		assert.deepEqual(ends(token, NOON_MS + SESSION_IDLE_MS), ['signed_out', []]);
		assert.deepEqual(ends(token, NOON_MS, { recordedActs: ['act'] }), ['act_repeated', []]);
	}
	const create = createSubUserWith('acme', 'alice');
	assert.deepEqual(ends(create, proofMs), ['username_taken', ['transfer', 'record_act']], 'its fee is paid once');
	assert.deepEqual(ends(create, proofMs, { recordedActs: ['act'] }), ['act_repeated', []]);
	assert.deepEqual(ends(create, NOON_MS, { sessions: [] }), ['signed_out', []]);
	assert.deepEqual(ends(giveBalance('acme', 'alice', 9_000), NOON_MS), ['insufficient_balance', []], 'no act');
	assert.throws(() => ends(create, NOON_MS, { sessions: [{ ...session, person: 'bob' }] }), /another person/);
});
