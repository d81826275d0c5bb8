import type { Account, AccountDetails } from '../accounts.ts';
import { readAccount } from '../answers.ts';
import type { CallOptions } from '../options.ts';
import type { BeginCall } from '../protocol/call.ts';
import { read } from '../protocol/read.ts';
import { readAccountDetails } from '../read-terms.ts';

/** The reseller's own account: `bursar.account`. */
export class AccountResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/** Username, balance and proxy auth key. */
	async retrieve(options: CallOptions = {}): Promise<Account> {
		return read(this.#begin(options), { operation: 'myInfo', readData: readAccount });
	}

	/** The debt, the price of bandwidth, and whether the proxies accept the pairs. */
	async retrieveDetails(options: CallOptions = {}): Promise<AccountDetails> {
		return read(this.#begin(options), { operation: 'viewAccount', body: {}, readData: readAccountDetails });
	}
}
