import type { BursarOptions, ChangeOptions, Settings } from './options.ts';
import { beginCall } from './protocol/call.ts';
import { type RawAnswer, sendRaw } from './protocol/raw-request.ts';
import { checkCallOptions, readOptions } from './read-options.ts';
import { AccountResource } from './resources/account.ts';
import { ChangesResource } from './resources/changes.ts';
import { EventsResource } from './resources/events.ts';
import { StatementResource } from './resources/statement.ts';
import { SubUsersResource } from './resources/sub-users.ts';
import { TokensResource } from './resources/tokens.ts';
import { TopUpsResource } from './resources/top-ups.ts';
import { WebhooksResource } from './resources/webhooks.ts';

/**
 * The reseller API of a Bursar service, with retries that never make a change twice. After a lost answer, the client finds
 * out what happened.
 *
 * The class of an error tells the kind of failure. Besides the errors that its description names, each method can reject
 * with `UnauthorizedError`, `NotPermittedError`, `UnavailableError`, `InternalServerError`, `UnexpectedAnswerError` or
 * `ConnectionError`. After an `OutcomeUnknownError`, the change may have taken effect. After any other error this call did not do it, except that a
 * create may have paid its fee.
 */
export class Bursar {
	/** The reseller's own account. */
	readonly account: AccountResource;
	readonly subUsers: SubUsersResource;
	/** The movements of money. */
	readonly statement: StatementResource;
	/** What has happened to you and your sub-users. */
	readonly events: EventsResource;
	/** Where the service sends your events. */
	readonly webhooks: WebhooksResource;
	/** Tokens for programs of yours that shall do less. */
	readonly tokens: TokensResource;
	/** Payments through payment providers, for your own balance. */
	readonly topUps: TopUpsResource;
	/** What changes did, by their ids. */
	readonly changes: ChangesResource;
	readonly #settings: Settings;

	/** Throws a `TypeError` if an option is missing, wrong or unknown, or if it runs in a browser page unasked. */
	constructor(options: BursarOptions = {}) {
		const settings = readOptions(options);
		const begin = (options: ChangeOptions) => {
			checkCallOptions(options);
			return beginCall(settings, options);
		};
		this.account = new AccountResource(begin);
		this.subUsers = new SubUsersResource(begin);
		this.statement = new StatementResource(begin);
		this.events = new EventsResource(begin);
		this.webhooks = new WebhooksResource(begin);
		this.tokens = new TokensResource(begin);
		this.topUps = new TopUpsResource(begin);
		this.changes = new ChangesResource(begin);
		this.#settings = settings;
	}

	/**
	 * The time by the service's clock, up to a second behind it; `undefined` until an answer has told it. A journal that
	 * outlives its process should use this clock: changes expire and are forgotten by it, whatever the machine's clock says.
	 */
	serviceTime(): Date | undefined {
		const { nowMs } = this.#settings.service;
		return nowMs === undefined ? undefined : new Date(nowMs);
	}

	/**
	 * Sends one request to a path that no method covers, with the token, and returns the answer as it came. It is never
	 * repeated: `timeoutMs` bounds it. It carries `X-Change-Id` only if `changeId` is given.
	 *
	 * Throws `UnavailableError` if it was never sent; `ConnectionError`, after which a change may have been done, or the
	 * signal's reason; `UnexpectedAnswerError` if the answer is larger than 64 MiB, and a `TypeError` if the path could leave
	 * the service.
	 */
	async rawRequest(method: string, path: string, body?: unknown, options: ChangeOptions = {}): Promise<RawAnswer> {
		checkCallOptions(options);
		return sendRaw(this.#settings, { method, path, body }, options);
	}
}
