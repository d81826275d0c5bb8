import type { Confirmation, RecordedChange } from '../accounts.ts';
import { InvalidRequestError } from '../errors.ts';
import type { CallOptions, ChangeOptions, TopUpListOptions } from '../options.ts';
import type { BeginCall, Call } from '../protocol/call.ts';
import { read } from '../protocol/read.ts';
import { sendChange } from '../protocol/send-change.ts';
import { readListOptions } from '../read-options.ts';
import { readBegunTopUp, readTopUpPage } from '../read-top-ups.ts';
import type { NewTopUp, TopUp, TopUpCreation } from '../top-ups.ts';
import { List, type Page } from './list.ts';
import { nameOf } from './named.ts';
import { checkAmount } from './sent-amount.ts';
import { sentFields } from './sent-fields.ts';

/** Your payments through payment providers, for your own balance: `bursar.topUps`. */
export class TopUpsResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * Begins a payment, which a person pays at its `url`. It adds to the balance only once the provider vouches for the money:
	 * `retrieve` tells, and the event `reseller.credited`. If the provider cannot be reached, its state is `creating`, and there
	 * is no `url` yet: retrieve it again.
	 *
	 * Throws `InvalidRequestError`, also if the operator accepts no payment of this amount (`amount_out_of_bounds`),
	 * `ProviderOffError`, `TooManyPaymentsError`, `SuspendedError`, `OutcomeUnknownError`.
	 */
	async create(topUp: NewTopUp, options: ChangeOptions = {}): Promise<TopUpCreation> {
		const { provider, amountCents } = sentFields('topUp', topUp, { known: NEW_FIELDS, of: 'a payment' });
		if (typeof provider !== 'string') throw new TypeError('provider must be a string');
		checkAmount(amountCents);
		const begun = await sendChange<Omit<TopUpCreation, keyof Confirmation>>(this.#begin(options), {
			asked: { operation: 'create_top_up', amountCents },
			request: {
				operation: 'createTopUp',
				body: { provider, amount_usd_cents: amountCents },
				readData: readBegunTopUp({ provider, amountCents }),
			},
			answerOf: async (recorded, call) => ({ topUp: await findBegun(recorded, call) }),
		});
		// The record of a change does not tell the provider.
		if (begun.topUp.provider === provider) return begun;
		const message = `another change has the id ${begun.topUp.changeId}, so this one was not made`;
		throw new InvalidRequestError(message, { code: 'change_repeated' });
	}

	/** The payment with this id; `undefined` if you have none. */
	async retrieve(id: string, options: CallOptions = {}): Promise<TopUp | undefined> {
		const { items } = await readTopUps(this.#begin(options), nameOf(id));
		return items.find((topUp) => topUp.id === id);
	}

	/** Your payments, the newest first. */
	list(options: TopUpListOptions = {}): List<TopUp> {
		const { after, body, callOptions } = readListOptions(options, { only: true });
		return new List(after, (after) => readTopUps(this.#begin(callOptions), { ...body, after }));
	}
}

/** Finds what a change began whose answer was lost. It was begun at the time of the change. */
async function findBegun({ changeId, doneAt }: RecordedChange, call: Call): Promise<TopUp> {
	for (let after: string | undefined; ; ) {
		const { items, next } = await readTopUps(call, { after }, true);
		const found = items.find((each) => each.changeId === changeId && each.dateCreated.getTime() === doneAt.getTime());
		if (found) return found;
		const isOver = next === undefined || next === after || items.some(({ dateCreated }) => dateCreated < doneAt);
		if (isOver) throw new Error('the payment is not there any more');
		after = next;
	}
}

function readTopUps(call: Call, body: Readonly<Record<string, unknown>>, isPatient = false): Promise<Page<TopUp>> {
	return read(call, { operation: 'viewTopUpPage', body, readData: readTopUpPage }, isPatient);
}

const NEW_FIELDS: Readonly<Record<keyof NewTopUp, true>> = { provider: true, amountCents: true };
