import {
	KEPT_TRIES,
	type WebhookLease,
	type WebhookPass,
	type WebhookRelease,
	type WebhookTry,
} from '../../../domain/webhooks/record.ts';
import { MOST_AHEAD_MS } from '../../../domain/webhooks/try.ts';
import type { Columns } from '../../statement.ts';

type At<Record> = Record & { readonly nowMs: number };

const LEASED = {
	id: ['text', ({ id }: { readonly id: string }) => id],
	process: ['text', ({ owner }: { readonly owner: string }) => owner],
} as const;

/** Whether no process has it leased, whatever the clock was when one did. */
export const LEASE_IS_OVER = (nowMs: string, leaseMs: string) =>
	`(lease_owner IS NULL OR lease_until_ms <= ${nowMs} OR lease_until_ms > ${nowMs} + ${leaseMs})`;

const TABLE = { table: 'webhook_endpoints', key: ['id'] as const };
/** A test, or a try of what a command has changed since, for example the URL. */
const IS_NOT_COUNTED = 'given.is_test = 1 OR next_at_ms <> given.due_before_ms';
const IS_WHERE_IT_WAS = 'lease_owner = given.process AND reached_number = given.from_number';

export const leasing = {
	...TABLE,
	columns: {
		...LEASED,
		at_ms: ['bigint', ({ nowMs }) => nowMs],
		lease_ms: ['bigint', ({ leaseMs }) => leaseMs],
	} satisfies Columns<At<WebhookLease>>,
	where: `(lease_owner = given.process OR ${LEASE_IS_OVER('given.at_ms', 'given.lease_ms')})`,
	set: 'lease_owner = given.process, lease_until_ms = given.at_ms + given.lease_ms',
};

/** It goes behind the others that wait. */
export const releasing = {
	...TABLE,
	columns: {
		...LEASED,
		at_ms: ['bigint', ({ nowMs }) => nowMs],
		most_ahead_ms: ['bigint', () => MOST_AHEAD_MS],
	} satisfies Columns<At<WebhookRelease>>,
	where: 'lease_owner = given.process',
	set: `lease_owner = NULL, lease_until_ms = 0,
		next_at_ms = CASE WHEN next_at_ms > given.at_ms AND next_at_ms <= given.at_ms + given.most_ahead_ms
			THEN next_at_ms ELSE given.at_ms END`,
};

export const passing = {
	...TABLE,
	columns: {
		...LEASED,
		from_number: ['bigint', ({ from }) => from],
		to_number: ['bigint', ({ reached }) => reached.number],
		to_id: ['text', ({ reached }) => reached.id],
	} satisfies Columns<At<WebhookPass>>,
	where: IS_WHERE_IT_WAS,
	set: 'reached_number = given.to_number, reached_id = given.to_id',
};

/** After a test, `after` is `undefined`, and only the test is over. */
export const endingTry = {
	...TABLE,
	columns: {
		...LEASED,
		from_number: ['bigint', ({ from }) => from],
		ended_at_ms: ['bigint', ({ nowMs }) => nowMs],
		lease_ms: ['bigint', ({ leaseMs }) => leaseMs],
		tries_before: ['bigint', ({ allTries }) => allTries],
		due_before_ms: ['bigint', ({ dueAtMs }) => dueAtMs],
		is_test: ['integer', ({ after }) => (after ? 0 : 1)],
		to_number: ['bigint', ({ after }) => after?.reached.number ?? null],
		to_id: ['text', ({ after }) => after?.reached.id ?? null],
		since_ms: ['bigint', ({ after }) => after?.failingSinceMs ?? null],
		failed: ['bigint', ({ after }) => after?.failedTries ?? null],
		due_at_ms: ['bigint', ({ after }) => after?.nextAtMs ?? null],
		number: ['bigint', ({ event }) => event.number],
		event: ['text', ({ event }) => event.id],
		type: ['text', ({ event }) => event.type],
		began_at_ms: ['bigint', ({ atMs }) => atMs],
		its_status: ['integer', ({ status }) => status],
		its_failure: ['text', ({ failure }) => failure],
		its_ms: ['bigint', ({ tookMs }) => tookMs],
		its_answer: ['text', ({ answer }) => answer],
	} satisfies Columns<At<WebhookTry>>,
	where: `${IS_WHERE_IT_WAS} AND all_tries = given.tries_before`,
	set: `all_tries = all_tries + 1, lease_until_ms = given.ended_at_ms + given.lease_ms,
		test_at_ms = CASE WHEN given.is_test = 1 THEN NULL ELSE test_at_ms END,
		reached_number = CASE WHEN given.is_test = 1 THEN reached_number ELSE given.to_number END,
		reached_id = CASE WHEN given.is_test = 1 THEN reached_id ELSE given.to_id END,
		failing_since_ms = CASE WHEN ${IS_NOT_COUNTED} THEN failing_since_ms ELSE given.since_ms END,
		failed_tries = CASE WHEN ${IS_NOT_COUNTED} THEN failed_tries ELSE given.failed END,
		next_at_ms = CASE WHEN ${IS_NOT_COUNTED} THEN next_at_ms ELSE given.due_at_ms END`,
	/** Keeps the try, if it has counted. The row of the webhook is locked since. */
	afterwards: `INSERT INTO webhook_tries
			(webhook, slot, event_number, event_id, event_type, at_ms, status, failure, took_ms, answer)
		SELECT given.id, given.tries_before % ${KEPT_TRIES}, given.number, given.event, given.type, given.began_at_ms,
			given.its_status, given.its_failure, given.its_ms, given.its_answer
		FROM given JOIN webhook_endpoints ON webhook_endpoints.id = given.id
		WHERE lease_owner = given.process AND all_tries = given.tries_before + 1
		ON CONFLICT (webhook, slot) DO UPDATE SET event_number = excluded.event_number, event_id = excluded.event_id,
			event_type = excluded.event_type, at_ms = excluded.at_ms, status = excluded.status, failure = excluded.failure,
			took_ms = excluded.took_ms, answer = excluded.answer`,
};
