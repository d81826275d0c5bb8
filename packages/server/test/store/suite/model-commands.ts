import { MAX_CENTS } from '@bursar/contract';
import fc from 'fast-check';
import type { Command } from '../../../src/commands/registry.ts';
import { NOON_MS } from '../../support/commands.ts';

const DAY_MS = 86_400_000;

/** One batch of a sequence. `waitMs` is the time since the previous one. */
export interface ModelBatch {
	readonly commands: readonly Command[];
	readonly throughAnother: boolean;
	readonly waitMs: number;
}

/** Names without the prefix that makes them unique for each sequence. */
export const RESELLERS = ['res0', 'res1', 'res2'];
export const CHANGE_IDS = ['change-number-00', 'change-number-01', 'change-number-02'];
export const SUB_USERS = ['sub0', 'sub1', 'sub2', 'sub3'];

const reseller = fc.constantFrom('res0', 'res0', 'res0', 'res1', 'res1', 'res2');
const subUser = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...SUB_USERS) }, { weight: 1, arbitrary: reseller });
const anyName = fc.oneof({ weight: 5, arbitrary: reseller }, { weight: 1, arbitrary: fc.constantFrom(...SUB_USERS) });
const amount = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(1, 2, 5, 10, 25, 50, 100) },
	{ weight: 1, arbitrary: fc.constantFrom(0, -1, 0.5, 1000, MAX_CENTS, MAX_CENTS - 20, MAX_CENTS + 1) },
);
const openingBalance = fc.constantFrom(0, 9, 10, 35, 200, 500, MAX_CENTS, -1, 0.5);
const credit = fc.constantFrom(0, 1, -1, 50, -50, 200, -200, MAX_CENTS, -MAX_CENTS, 0.5);
/** `prefixed` gives each command its own token hash. */
const made = {
	tokenHash: fc.constant(''),
	tokenTail: fc.constantFrom('Zz09', 'abcd'),
	madeBy: fc.constantFrom('operator', 'ann'),
};
const overlapMs = fc.constantFrom(0, 0, 1000, 60_000, 240_000, 240_001, -1);
const proxyAuthkey = fc.constantFrom('AAAAAAAAAAAAAAAA', 'bbbbbbbbbbbbbbbb', '0123456789abcdef');
const requestId = fc.constant('model');

/** Few, so that they repeat. Most commands have none. */
const changeId = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(undefined) },
	{ weight: 2, arbitrary: fc.constantFrom(...CHANGE_IDS) },
);

const give: fc.Arbitrary<Command> = fc.record({
	kind: fc.constantFrom('give_balance', 'take_balance'),
	requestId,
	reseller,
	username: subUser,
	amountCents: amount,
	changeId,
	reference: fc.constantFrom(undefined, undefined, 'order-1', 'order-2'),
});
const create: fc.Arbitrary<Command> = fc.record({
	kind: fc.constant('create_sub_user'),
	requestId,
	reseller,
	proxyAuthkey,
	changeId,
	username: fc.oneof({ weight: 8, arbitrary: subUser }, { weight: 1, arbitrary: fc.constant(undefined) }),
});
/** Few amounts, so that limits repeat. */
const limit = fc.constantFrom(null, null, 1, 5_000, 0, MAX_CENTS);
const limits = fc.record(
	{
		dayBytes: limit,
		monthBytes: limit,
		totalBytes: limit,
		connections: fc.constantFrom(null, 1, 1_000_000, 1_000_001),
		bytesPerSecond: fc.constantFrom(null, 8_000, 7_999, 10 ** 12, 10 ** 12 + 1),
		allowedIps: fc.constantFrom(null, ['192.0.2.0/24'], ['192.0.2.7', '2001:db8::/32'], []),
		expiresAtMs: fc.constantFrom(null, 1, 253_402_300_799_999, 253_402_300_800_000),
	},
	{ requiredKeys: [] },
);
const note = fc.constantFrom('', 'pays late', 'two\nlines', 'x'.repeat(201));
const createWith: fc.Arbitrary<Command> = fc.record({
	kind: fc.constant('create_sub_user_with'),
	requestId,
	reseller,
	proxyAuthkey,
	changeId,
	username: subUser,
	amountCents: fc.oneof(fc.constant(undefined), amount),
	limits: fc.oneof(fc.constant({}), limits),
	note: fc.oneof(fc.constant(''), note),
});
const terms: fc.Arbitrary<Command> = fc.oneof(
	fc.record({
		kind: fc.constantFrom('suspend_sub_user', 'resume_sub_user'),
		requestId,
		reseller,
		username: subUser,
		changeId,
	}),
	fc.record({
		kind: fc.constant('set_limits'),
		requestId,
		reseller,
		username: subUser,
		changeId,
		limits,
	}),
	fc.record({
		kind: fc.constant('set_note'),
		requestId,
		reseller,
		username: subUser,
		changeId,
		note,
	}),
	fc.record({
		kind: fc.constant('set_sign_in_ips'),
		requestId,
		reseller,
		username: subUser,
		changeId,
		signInIps: fc.oneof(fc.subarray(['10.0.0.1', '10.0.0.2', 'fd00::1', 'fd00::2']), fc.constant(['fd00::/64'])),
	}),
	fc.record({ kind: fc.constant('delete_sub_user'), requestId, reseller, username: subUser, changeId }),
);
const operator: fc.Arbitrary<Command> = fc.oneof(
	fc.record({
		kind: fc.constant('create_reseller'),
		requestId,
		reseller: anyName,
		proxyAuthkey,
		...made,
		openingBalanceCents: openingBalance,
	}),
	fc.record({
		kind: fc.constant('credit_reseller'),
		requestId,
		reseller: anyName,
		amountCents: credit,
		reference: fc.constantFrom('ref0', 'ref1', 'ref2', ''),
		reason: fc.constantFrom('', 'why', 'why not'),
	}),
	fc.record({ kind: fc.constant('suspend_reseller'), requestId, reseller: anyName }),
	fc.record({
		kind: fc.constant('note_reseller'),
		requestId,
		reseller: anyName,
		note: fc.constantFrom('', 'pays late', 'two\nlines'),
	}),
	fc.record({ kind: fc.constant('allow_sign_in_by_address'), requestId, reseller: anyName, isAllowed: fc.boolean() }),
	// Twice, so that most resellers are not suspended.
	fc.record({ kind: fc.constant('resume_reseller'), requestId, reseller: anyName }),
	fc.record({ kind: fc.constant('resume_reseller'), requestId, reseller: anyName }),
);
const credentials: fc.Arbitrary<Command> = fc.oneof(
	fc.record({ kind: fc.constant('reset_auth_key'), requestId, reseller, username: subUser, proxyAuthkey, changeId }),
	fc.record({ kind: fc.constant('rotate_token'), requestId, reseller: anyName, ...made, overlapMs }),
	fc.record({ kind: fc.constant('revoke_token'), requestId, reseller: anyName, ...made }),
	fc.record({
		kind: fc.constant('create_token'),
		requestId,
		// Only a reseller that exists can have asked.
		reseller: fc.constant('res0'),
		changeId,
		id: fc.constant(''),
		...made,
		name: fc.constantFrom('shop', 'bot', 'desk', ''),
		scopes: fc.constantFrom(['read'], ['read', 'money'], ['sub_users'], []),
		endsAtMs: fc.constantFrom(0, 1, 60_000, 400_000, 366 * DAY_MS).map((afterMs) => NOON_MS + afterMs),
		allowedIps: fc.constantFrom(null, ['192.0.2.0/24', '2001:db8::/32']),
	}),
	// The number of a token that was made before, or is not there.
	fc.record({ kind: fc.constant('end_token'), requestId, reseller, changeId, id: fc.nat(24).map(String) }),
);
const command = fc.oneof(
	{ weight: 6, arbitrary: give },
	{ weight: 4, arbitrary: create },
	{ weight: 3, arbitrary: createWith },
	{ weight: 4, arbitrary: operator },
	{ weight: 4, arbitrary: terms },
	{ weight: 3, arbitrary: credentials },
);

/** Sequences of batches. They begin with two resellers, and a sub-user of each if its balance covers the fee. */
export const modelSequence: fc.Arbitrary<readonly ModelBatch[]> = fc
	.tuple(
		openingBalance,
		fc.array(
			fc.record({
				commands: fc.array(command, { minLength: 1, maxLength: 10 }),
				throughAnother: fc.boolean(),
				waitMs: fc.constantFrom(-3_600_000, 0, 1, 5_000, 29_999, 30_000, 61_000, 300_000),
			}),
			{ maxLength: 6 },
		),
	)
	.map(([balance, batches]) => [{ commands: firstCommands(balance), throughAnother: false, waitMs: 0 }, ...batches]);

function firstCommands(openingBalanceCents: number): Command[] {
	const base = { requestId: 'model', proxyAuthkey: 'AAAAAAAAAAAAAAAA' } as const;
	const open = { ...base, kind: 'create_reseller', tokenHash: '', tokenTail: '0000', madeBy: 'operator' } as const;
	return [
		{ ...open, reseller: 'res0', openingBalanceCents: 500 },
		{ ...open, reseller: 'res1', openingBalanceCents },
		{ ...base, kind: 'create_sub_user', reseller: 'res0', username: 'sub0' },
		{ ...base, kind: 'create_sub_user', reseller: 'res1', username: 'sub1' },
	];
}

/** The token that the command at this index of a sequence makes. */
export function tokenHashAt(prefix: string, index: number): string {
	return `${prefix}token ${index}`;
}

/** The address of a sequence that this one stands for. */
export function ipOf(prefix: string, ip: string): string {
	const number = Number(/\d+/.exec(prefix)?.[0]);
	return ip
		.replace('10.0.0.', `10.${number >> 8}.${number & 255}.`)
		.replace('fd00::', `fd00:${(number + 1).toString(16)}::`);
}

/** Its public id, if it is a further token. */
function tokenIdAt(prefix: string, index: number): string {
	return `${prefix}id ${index}`;
}

/** The command with the prefix on every name and reference, and with its own token hash. */
export function prefixed(command: Command, prefix: string, index: number): Command {
	const reseller = prefix + command.reseller;
	switch (command.kind) {
		case 'create_reseller':
		case 'rotate_token':
		case 'revoke_token':
			return { ...command, reseller, tokenHash: tokenHashAt(prefix, index) };
		case 'create_token':
			return { ...command, reseller, id: tokenIdAt(prefix, index), tokenHash: tokenHashAt(prefix, index) };
		case 'end_token':
			return { ...command, reseller, id: tokenIdAt(prefix, Number(command.id)) };
		case 'credit_reseller':
			return { ...command, reseller, reference: command.reference && prefix + command.reference };
		case 'create_sub_user': {
			const { username } = command;
			return { ...command, reseller, username: username && prefix + username };
		}
		case 'set_price':
		case 'forgive_debt':
		case 'suspend_reseller':
		case 'resume_reseller':
		case 'note_reseller':
		case 'allow_sign_in_by_address':
		case 'forget_events':
		case 'create_webhook':
		case 'update_webhook':
		case 'delete_webhook':
		case 'rotate_webhook_secret':
		case 'test_webhook':
		case 'switch_off_webhook':
			return { ...command, reseller };
		case 'create_top_up':
		case 'ask_payment_read':
		case 'begin_payment_read':
			return { ...command, reseller, payment: prefix + command.payment };
		case 'record_payment_read':
			return { ...command, reseller, payment: { ...command.payment, id: prefix + command.payment.id } };
		case 'set_sign_in_ips': {
			const signInIps = command.signInIps.map((ip) => ipOf(prefix, ip));
			return { ...command, reseller, username: prefix + command.username, signInIps };
		}
		case 'judge_usable':
		case 'post_usage':
			return { ...command, reseller, usernames: command.usernames.map((username) => prefix + username) };
		default:
			return { ...command, reseller, username: prefix + command.username };
	}
}
