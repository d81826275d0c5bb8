import {
	type BursarClient,
	type ChangeOptions,
	CREATE_FEE_CENTS,
	type FeeRange,
	type UnknownOutcome,
} from '@bursar/client';
import { usd } from '@bursar/terminal';
import { authKeyFields, creationFields, transferFields } from '../output/fields.ts';
import { counted } from '../output/units.ts';
import type { InputForm, InputLine } from './input/read-input.ts';

/** What a bulk form does with each of its lines. */
export interface Change extends InputForm {
	readonly operation: UnknownOutcome['operation'];
	/** The words of the progress line. */
	readonly activity: string;
	/** The title of the last column, in the rows for people. */
	readonly detailTitle: string;
	/** Sends the change for one line. Rejects as the client does. */
	send(client: BursarClient, line: InputLine, options: ChangeOptions): Promise<DoneChange>;
	/** The most that these lines may take from the reseller's balance, in USD cents. */
	maxSpendCents(lines: readonly InputLine[]): number;
	/** Says in words what these lines do and what they cost. */
	describe(lines: readonly InputLine[]): string;
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
	hasAmounts: false,
	activity: 'creating sub-users',
	detailTitle: 'PROXY AUTH KEY',
	async send(client, { username }, options) {
		const creation = await client.createSubUser(username, options);
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
	hasAmounts: false,
	activity: 'replacing proxy auth keys',
	detailTitle: 'PROXY AUTH KEY',
	async send(client, { username }, options) {
		const replaced = await client.resetAuthKey(username, options);
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
	async send(client, { username, amountCents }, options) {
		return transferDone(await client.giveBalance(username, amountCents, options));
	},
	maxSpendCents: sumOf,
	describe: (lines) => `give ${transferWords(lines)}`,
};

export const takeChange: Change = {
	operation: 'take',
	hasAmounts: true,
	activity: 'taking balance',
	detailTitle: 'BALANCE USD',
	async send(client, { username, amountCents }, options) {
		return transferDone(await client.takeBalance(username, amountCents, options));
	},
	maxSpendCents: () => 0,
	describe: (lines) => `take ${transferWords(lines)}`,
};

/** A transfer that the answer or the balance confirms. */
export function transferDone(transfer: Parameters<typeof transferFields>[0]): DoneChange {
	return { fields: transferFields(transfer), word: 'moved', detail: usd(transfer.balanceCents), fee: NO_FEE };
}

function transferWords(lines: readonly InputLine[]): string {
	return `${usd(sumOf(lines))} USD in ${counted(lines.length, 'transfer')}`;
}

function sumOf(lines: readonly InputLine[]): number {
	return lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
