import type { EventListOptions, FollowOptions } from '../options.ts';
import type { BeginCall } from '../protocol/call.ts';
import { follow } from '../protocol/follow.ts';
import { read } from '../protocol/read.ts';
import { readEventPage, readSentEventPage } from '../read-events.ts';
import { readFollowOptions, readListOptions } from '../read-options.ts';
import type { EventPage, ResellerEvent, SentEvent } from '../reseller-events.ts';
import { List } from './list.ts';

/** What has happened to you and your sub-users: `bursar.events`. */
export class EventsResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * The events from a place in the log until now, the oldest first. Rejects with `EventsExpiredError` or `EventsRewoundError`
	 * if the log does not have that place any more.
	 */
	list(options: EventListOptions = {}): List<ResellerEvent, EventPage> {
		const { after, body, callOptions } = readListOptions(options, { types: true });
		return new List(after, (after) =>
			read(this.#begin(callOptions), { operation: 'viewEventPage', body: { ...body, after }, readData: readEventPage }),
		);
	}

	/**
	 * The events from a place in the log on, for ever: it waits for the next ones. It goes on through restarts of the service and
	 * lost connections. It ends when `signal` is aborted, with its reason, or with an error that no further attempt can mend:
	 * `EventsExpiredError`, `EventsRewoundError`, `UnauthorizedError`, `InvalidRequestError`, or `UnexpectedAnswerError`.
	 */
	follow(options: FollowOptions = {}): AsyncIterable<ResellerEvent> {
		const wanted = readFollowOptions(options);
		return { [Symbol.asyncIterator]: () => follow(this.#begin, wanted, readEventPage) };
	}

	/** The same as `follow`, with each event as the API sends it: for a program that passes events on. */
	followSent(options: FollowOptions = {}): AsyncIterable<SentEvent> {
		const wanted = readFollowOptions(options);
		return { [Symbol.asyncIterator]: () => follow(this.#begin, wanted, readSentEventPage) };
	}
}
