import {
	type Bursar,
	type ChangeOperation,
	type ChangeOptions,
	CREATE_FEE_CENTS,
	type FeeRange,
	type SetState,
	type SubUserLimits,
} from '@bursar/client';
import { usd } from '@bursar/terminal';
import { authKeyFields, creationFields, transferFields } from '../output/fields.ts';
import { deletionFields, limitWords, stateFields, withLimitsFields } from '../output/sub-user-terms.ts';
import { counted } from '../output/units.ts';
import type { InputForm, InputLine } from './input/read-input.ts';

/** What a bulk form does with each of its lines. */
export interface Change extends InputForm {
	readonly operation: ChangeOperation;
	/** The words of the progress line. */
	readonly activity: string;
	/** The title of the last column, in the rows for people. */
	readonly detailTitle: string;
	/** Sends the change for one line. Rejects as the client does. */
	send(client: Bursar, line: InputLine, options: ChangeOptions): Promise<DoneChange>;
	/** The most that these lines may take from the reseller's balance, in USD cents. */
	maxSpendCents(lines: readonly InputLine[]): number;
	/** Says in words what these lines do and what they cost. */
	describe(lines: readonly InputLine[]): string;
	/** The question on a terminal before lines that spend nothing. If it is absent, there is no question. */
	readonly warning?: string;
	/** Whether its results have proxy auth keys. Such a line is done only once its result is printed. */
	readonly printsKeys?: boolean;
	/** Whether each line costs the fee of a create. */
	readonly paysFee?: boolean;
	/** Whether it sets a state, so that it can be done again at any time. Then it keeps no journal. */
	readonly isSetting?: boolean;
}

/** The content of a line, as a journal and `--json` have it. */
export function contentFields(
	{ username, amountCents, reference }: Omit<InputLine, 'line'>,
	{ hasAmounts }: Pick<Change, 'hasAmounts'>,
) {
	return {
		username,
		...(hasAmounts && { amount_usd_cents: amountCents }),
		...(reference !== undefined && { reference }),
	};
}

/** A line that was done. */
export interface DoneChange {
	/** What `--json` prints. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** What people read: one word, and the result. */
	readonly word: string;
	readonly detail: string;
	/** What the line paid in fees. */
	readonly fee: FeeRange;
}

export const NO_FEE: FeeRange = { minCents: 0, maxCents: 0 };

export const createChange: Change = {
	operation: 'create',
	printsKeys: true,
	paysFee: true,
	hasAmounts: false,
	activity: 'creating sub-users',
	detailTitle: 'PROXY AUTH KEY',
	async send(client, { username }, options) {
		const creation = await client.subUsers.create(username, options);
		return {
			fields: creationFields(creation),
			word: creation.created ? 'created' : 'yours',
			detail: creation.subUser.proxyAuthkey,
			fee: creation.fee,
		};
	},
	maxSpendCents: (lines) => lines.length * CREATE_FEE_CENTS,
	describe(lines) {
		return `create ${counted(lines.length, 'sub-user')} for up to ${usd(this.maxSpendCents(lines))} USD`;
	},
};

export const resetKeyChange: Change = {
	operation: 'reset_auth_key',
	printsKeys: true,
	warning: 'What uses the current keys is refused until it has the new ones.',
	hasAmounts: false,
	activity: 'replacing proxy auth keys',
	detailTitle: 'PROXY AUTH KEY',
	async send(client, { username }, options) {
		const replaced = await client.subUsers.resetAuthKey(username, options);
		return { fields: authKeyFields(replaced), word: 'replaced', detail: replaced.proxyAuthkey, fee: NO_FEE };
	},
	maxSpendCents: () => 0,
	describe: (lines) => `replace ${counted(lines.length, 'proxy auth key')}`,
};

export const giveChange: Change = {
	operation: 'give',
	hasAmounts: true,
	activity: 'giving balance',
	detailTitle: 'BALANCE USD',
	async send(client, { username, amountCents, reference }, options) {
		return transferDone(
			await client.subUsers.give(username, amountCents, { ...options, ...(reference && { reference }) }),
		);
	},
	maxSpendCents: sumOf,
	describe: (lines) => `give ${transferWords(lines)}`,
};

export const takeChange: Change = {
	operation: 'take',
	hasAmounts: true,
	activity: 'taking balance',
	detailTitle: 'BALANCE USD',
	async send(client, { username, amountCents, reference }, options) {
		return transferDone(
			await client.subUsers.take(username, amountCents, { ...options, ...(reference && { reference }) }),
		);
	},
	maxSpendCents: () => 0,
	describe: (lines) => `take ${transferWords(lines)}`,
};

function transferDone(transfer: Parameters<typeof transferFields>[0]): DoneChange {
	return { fields: transferFields(transfer), word: 'moved', detail: usd(transfer.balanceCents), fee: NO_FEE };
}

export const deleteChange: Change = {
	operation: 'delete',
	hasAmounts: false,
	activity: 'deleting sub-users',
	detailTitle: 'RETURNED USD',
	warning: 'The rest of their balance comes back to you. Their names are never given again.',
	async send(client, { username }, options) {
		const deletion = await client.subUsers.delete(username, options);
		return { fields: deletionFields(deletion), word: 'deleted', detail: usd(deletion.returnedCents), fee: NO_FEE };
	},
	maxSpendCents: () => 0,
	describe: (lines) => `delete ${counted(lines.length, 'sub-user')} for ever`,
};

export const suspendChange: Change = {
	operation: 'suspend',
	isSetting: true,
	hasAmounts: false,
	activity: 'suspending sub-users',
	detailTitle: 'STATE',
	warning: 'Their pairs are refused at once.',
	async send(client, { username }, options) {
		return stateDone('suspended', await client.subUsers.suspend(username, options));
	},
	maxSpendCents: () => 0,
	describe: (lines) => `suspend ${counted(lines.length, 'sub-user')}`,
};

export const resumeChange: Change = {
	operation: 'resume',
	isSetting: true,
	hasAmounts: false,
	activity: 'resuming sub-users',
	detailTitle: 'STATE',
	async send(client, { username }, options) {
		return stateDone('resumed', await client.subUsers.resume(username, options));
	},
	maxSpendCents: () => 0,
	describe: (lines) => `resume ${counted(lines.length, 'sub-user')}`,
};

/** Sets the same limits for each line. */
export function limitsChange(limits: Partial<SubUserLimits>): Change {
	return {
		operation: 'set_limits',
		isSetting: true,
		hasAmounts: false,
		activity: 'setting limits',
		detailTitle: 'LIMITS',
		warning: 'What is over its limit is refused at once.',
		async send(client, { username }, options) {
			const set = await client.subUsers.setLimits(username, limits, options);
			return { fields: withLimitsFields(set), word: 'set', detail: limitWords(set.limits), fee: NO_FEE };
		},
		maxSpendCents: () => 0,
		describe: (lines) => `set limits of ${counted(lines.length, 'sub-user')}`,
	};
}

function stateDone(word: string, set: SetState): DoneChange {
	return { fields: stateFields(set), word, detail: set.state, fee: NO_FEE };
}

function transferWords(lines: readonly InputLine[]): string {
	return `${usd(sumOf(lines))} USD in ${counted(lines.length, 'transfer')}`;
}

function sumOf(lines: readonly InputLine[]): number {
	return lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
