import type { EventType } from '@bursar/contract/events';
import type { OffReason } from '@bursar/contract/webhooks';
import type { PersonEffect } from '../../../domain/people/person-effect.ts';
import type { ChangedWebhook, Webhook, WebhookChange } from '../../../domain/webhooks/webhook.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { type FoundRows, givenRows, type SharedStatement } from '../../statement.ts';

/** The columns of a `WebhookRow`, for both engines. */
export const WEBHOOK_COLUMNS = `id, reseller, url, types, off_reason AS "offReason", reached_number AS "reachedNumber",
	reached_id AS "reachedId", failing_since_ms AS "failingSinceMs", failed_tries AS "failedTries", next_at_ms AS "nextAtMs",
	test_at_ms AS "testAtMs", created_at_ms AS "createdAtMs"`;

/** A webhook as the store has it. */
export interface WebhookRow extends Omit<Webhook, 'types' | 'reached'> {
	readonly types: string | null;
	readonly reachedNumber: number;
	readonly reachedId: string | null;
}

export function webhookOfRow(row: WebhookRow): Webhook {
	const { id, reseller, url, offReason, failingSinceMs, failedTries, nextAtMs, testAtMs, createdAtMs } = row;
	return {
		...{ id, reseller, url },
		types: row.types === null ? null : (row.types.split(',') as EventType[]),
		offReason: offReason as OffReason | null,
		reached: { number: row.reachedNumber, id: row.reachedId ?? undefined },
		...{ failingSinceMs, failedTries, nextAtMs, testAtMs, createdAtMs },
	};
}

/** Finds all webhooks of resellers. */
export function findingWebhooks(resellers: readonly string[]): readonly SharedStatement[] {
	const sql = `SELECT ${WEBHOOK_COLUMNS} FROM webhook_endpoints WHERE reseller = $1 ORDER BY created_at_ms, id`;
	return resellers.map((reseller) => ({ sql, values: [reseller] }));
}

/** Finds the number of the oldest event of each of these resellers, if any is kept. */
export function findingOldestEvents(resellers: readonly string[]): readonly SharedStatement[] {
	const sql = 'SELECT reseller, number AS oldest FROM events WHERE reseller = $1 ORDER BY number LIMIT 1';
	return resellers.map((reseller) => ({ sql, values: [reseller] }));
}

/** Finds the ids of events: of the newest one of each of these resellers, and of those that their webhooks have reached. */
export function findingEventIds(resellers: readonly string[]): readonly SharedStatement[] {
	const sql = `SELECT reseller, number, id FROM events WHERE reseller = $1 AND number IN (
		SELECT newest_event FROM accounts WHERE reseller = $1 AND username = $1
		UNION SELECT reached_number FROM webhook_endpoints WHERE reseller = $1)`;
	return resellers.map((reseller) => ({ sql, values: [reseller] }));
}

/** Finds the ids of these events. */
export function findingEvents(
	events: readonly { readonly reseller: string; readonly number: number }[],
): readonly FoundRows[] {
	const keys = givenRows(events, {
		reseller: ['text', ({ reseller }) => reseller],
		number: ['bigint', ({ number }) => number],
	});
	return [{ table: 'events', columns: 'reseller, number, id', keys }];
}

/** Each secret of a webhook is sealed for this context, so that the present one can become the previous one. */
export function secretContext(id: string): string {
	return `webhook ${id}`;
}

/** Writes changes of webhooks, in order. The accounts of their resellers are locked. */
export function changingWebhooks(changes: readonly WebhookChange[], seal: KeySeal): readonly SharedStatement[] {
	return changes.flatMap((change) => changing(change, seal));
}

function changing(change: WebhookChange, seal: KeySeal): readonly SharedStatement[] {
	const { id } = change.webhook;
	switch (change.what) {
		case 'added':
			return [adding(change.webhook, seal.seal(change.secret, secretContext(id)))];
		case 'changed':
			return setting(id, change.set);
		case 'secret_rotated': {
			const sql = `UPDATE webhook_endpoints SET sealed_previous_secret = sealed_secret, previous_until_ms = $1,
				sealed_secret = $2 WHERE id = $3`;
			return [{ sql, values: [change.previousUntilMs, seal.seal(change.secret, secretContext(id)), id], rows: 1 }];
		}
		case 'deleted':
			// The webhook first: a process that records a try locks it.
			return [
				{ sql: 'DELETE FROM webhook_endpoints WHERE id = $1', values: [id], rows: 1 },
				{ sql: 'DELETE FROM webhook_tries WHERE webhook = $1', values: [id] },
			];
	}
}

function adding(webhook: Webhook, sealedSecret: string): SharedStatement {
	const { id, reseller, url, types, reached, nextAtMs, createdAtMs } = webhook;
	return {
		sql: `INSERT INTO webhook_endpoints
				(id, reseller, url, types, sealed_secret, reached_number, reached_id, next_at_ms, created_at_ms)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		values: [
			...[id, reseller, url, types?.join() ?? null, sealedSecret],
			...[reached.number, reached.id ?? null, nextAtMs, createdAtMs],
		],
		rows: 1,
	};
}

/** Sets only what a command has changed: a process may move on the rest at the same time. */
function setting(id: string, set: ChangedWebhook): readonly SharedStatement[] {
	const { url, types, offReason, reached, failingSinceMs, failedTries, nextAtMs, testAtMs } = set;
	const columns: Record<string, string | number | null | undefined> = {
		url,
		types: types === null ? null : types?.join(),
		off_reason: offReason,
		reached_number: reached?.number,
		reached_id: reached && (reached.id ?? null),
		failing_since_ms: failingSinceMs,
		failed_tries: failedTries,
		next_at_ms: nextAtMs,
		test_at_ms: testAtMs,
	};
	const changed = Object.entries(columns).flatMap(([column, value]) =>
		value === undefined ? [] : [{ column, value }],
	);
	const sets = changed.map(({ column }, index) => `${column} = $${index + 2}`);
	const sql = `UPDATE webhook_endpoints SET ${sets.join(', ')} WHERE id = $1`;
	return [{ sql, values: [id, ...changed.map(({ value }) => value)], rows: 1 }];
}

/** The copy of a store calls nobody: it switches off what is on, and forgets that a test was asked for. */
export const PAUSE_WEBHOOKS = `UPDATE webhook_endpoints SET off_reason = COALESCE(off_reason, 'copied'), test_at_ms = NULL
	WHERE off_reason IS NULL OR test_at_ms IS NOT NULL`;

type EffectOnAll = Extract<PersonEffect, { readonly kind: 'pause_webhooks' | 'resume_webhooks' }>;

/** Switches the webhooks of a copy. */
export function switchingWebhooks(effect: EffectOnAll): readonly SharedStatement[] {
	if (effect.kind === 'pause_webhooks') return [{ sql: PAUSE_WEBHOOKS, values: [] }];
	const sql = `UPDATE webhook_endpoints SET off_reason = NULL, failing_since_ms = NULL, failed_tries = 0, next_at_ms = $1
		WHERE off_reason = 'copied'`;
	return [{ sql, values: [effect.atMs] }];
}

/** How many webhooks are on, and how many are off because the store is a copy. */
export const COUNT_SWITCHED: SharedStatement = {
	sql: `SELECT count(CASE WHEN off_reason IS NULL THEN 1 END) AS "webhooksOn",
		count(CASE WHEN off_reason = 'copied' THEN 1 END) AS "webhooksCopied" FROM webhook_endpoints`,
	values: [],
};
