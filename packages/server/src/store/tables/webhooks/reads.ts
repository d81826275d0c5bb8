import { KEPT_TRIES } from '../../../domain/webhooks/record.ts';
import { MOST_AHEAD_MS } from '../../../domain/webhooks/try.ts';
import type { Webhook } from '../../../domain/webhooks/webhook.ts';
import { gatherReads } from '../../gather.ts';
import { DELIVERING, OPERATORS, type ReadLanes } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { SharedStatement } from '../../statement.ts';
import { anywhere, mayMatch, rangeCondition } from '../accounts/names.ts';
import { LEASE_IS_OVER } from './records.ts';
import { secretContext, WEBHOOK_COLUMNS, type WebhookRow, webhookOfRow } from './webhooks.ts';

/** What is read about webhooks. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface WebhookReads {
	/** All webhooks of a reseller, the oldest first. `owner` of the read; default: the reseller. */
	listWebhooks(reseller: string, owner?: string): Promise<readonly ListedWebhook[]>;
	/** The last tries of a webhook of a reseller, the newest first. `undefined` if there is no such webhook. */
	listWebhookTries(reseller: string, id: string, owner?: string): Promise<readonly StoredTry[] | undefined>;
	/** A page of the webhooks of all resellers, the worst first. For operators. Heavy. */
	listWorstWebhooks(query: WorstQuery): Promise<readonly GradedWebhook[]>;
	/** Some webhooks whose address has the text, which is in lowercase, maybe not in its host. For operators. Heavy. */
	listWebhookHosts(text: string): Promise<readonly Pick<Webhook, 'id' | 'reseller' | 'url'>[]>;
	/** Webhooks with something to send that this process has leased, or that no one has. Resellers take turns. */
	listDueWebhooks(query: DueQuery): Promise<readonly string[]>;
	/** A webhook with its secrets and its lease. */
	findWebhook(id: string): Promise<LeasedWebhook | undefined>;
}

export interface ListedWebhook extends Webhook {
	/** The number of the newest event of its reseller; 0 if there is none. */
	readonly newestEvent: number;
	/** How many events of its reseller are behind the one that it has reached, of any type. */
	readonly eventsBehind: number;
}

/** Where a webhook stands among all: by its grade, then by how far it is behind. */
export interface WebhookPosition {
	/** 0: off, and not by its reseller; 1: off because the store is a copy; 2: failing; 3: on; 4: off by its reseller. */
	readonly grade: number;
	readonly eventsBehind: number;
	readonly id: string;
}

export interface GradedWebhook extends ListedWebhook, WebhookPosition {}

interface WorstQuery {
	/** The beginning of the name of the reseller. */
	readonly search: string;
	/** `undefined` for the first page. */
	readonly after: WebhookPosition | undefined;
	/** Against the order. */
	readonly backwards: boolean;
	readonly limit: number;
}

/** A try to send an event. */
export interface StoredTry {
	/** 0 for a test event. */
	readonly eventNumber: number;
	readonly eventId: string;
	readonly eventType: string;
	/** Unix milliseconds. */
	readonly atMs: number;
	/** The status of the answer; `null` if there was none. */
	readonly status: number | null;
	/** Why there was none. */
	readonly failure: string | null;
	readonly tookMs: number;
	/** The beginning of the answer, or a sentence about the failure. */
	readonly answer: string;
}

interface DueQuery {
	/** The process that asks. */
	readonly owner: string;
	readonly nowMs: number;
	readonly leaseMs: number;
	readonly limit: number;
}

export interface LeasedWebhook {
	readonly webhook: Webhook;
	/** The present one, and the previous one while it signs too. */
	readonly secrets: readonly string[];
	readonly leaseOwner: string | null;
	/** Unix milliseconds. */
	readonly leaseUntilMs: number;
	/** How many tries there were, ever. */
	readonly allTries: number;
}

/** @bound Webhooks that one query of the delivery looks at: the rest waits. */
const FOUND_AT_ONCE = 64;

/** @bound Webhooks in whose host a search over everything looks for a text: the rest is left out. */
const HOSTS_SEARCHED = 1_000;

export function webhookReads({ quick, heavy }: ReadLanes, seal: KeySeal, nowMs: () => number): WebhookReads {
	const listedOf = (row: ListedRow): ListedWebhook => {
		const webhook = webhookOfRow(row);
		const { newestEvent } = row;
		return { ...webhook, newestEvent, eventsBehind: Math.max(0, newestEvent - webhook.reached.number) };
	};
	const listed = (rows: readonly object[]) => (rows as readonly ListedRow[]).map(listedOf);

	/** A process delivers to many webhooks at once, and looks at each before each try. */
	async function findMany(ids: readonly string[]): Promise<readonly (LeasedRow | undefined)[]> {
		// Two numbers of parameters, so that an engine prepares two statements. No webhook has an empty id.
		const asked = Array.from({ length: ids.length === 1 ? 1 : FOUND_AT_ONCE }, (_, index) => ids[index] ?? '');
		const statement = statementOf((bind) => `${FIND} WHERE id IN (${asked.map(bind).join(', ')})`);
		const rows = (await quick({ owner: DELIVERING, statement })) as readonly LeasedRow[];
		const byId = new Map(rows.map((row) => [row.id, row]));
		return ids.map((id) => byId.get(id));
	}

	function opened(row: LeasedRow | undefined): LeasedWebhook | undefined {
		if (!row) return undefined;
		const { id, sealedSecret, sealedPreviousSecret, previousUntilMs, leaseOwner, leaseUntilMs, allTries } = row;
		const isPreviousGood = sealedPreviousSecret !== null && (previousUntilMs ?? 0) > nowMs();
		const sealed = [sealedSecret, ...(isPreviousGood ? [sealedPreviousSecret] : [])];
		const secrets = sealed.map((text) => seal.open(text, secretContext(id)));
		return { webhook: webhookOfRow(row), secrets, leaseOwner, leaseUntilMs, allTries };
	}

	return {
		async listWebhooks(reseller, owner = reseller) {
			const sql = `${LISTED} WHERE reseller = $1 ORDER BY created_at_ms, id`;
			return listed(await quick({ owner, statement: { sql, values: [reseller] } }));
		},
		async listWebhookTries(reseller, id, owner = reseller) {
			const rows = (await quick({ owner, statement: { sql: TRIES, values: [reseller, id] } })) as readonly TryRow[];
			if (rows.length === 0) return undefined;
			return rows.flatMap((row) => (row.eventId === null ? [] : (row as StoredTry)));
		},
		async listWorstWebhooks(query) {
			if (!mayMatch(query.search)) return [];
			const rows = await heavy({ owner: OPERATORS, statement: listWorst(query) });
			return (rows as readonly GradedRow[]).map((row) => ({ ...listedOf(row), grade: row.grade }));
		},
		async listWebhookHosts(text) {
			const statement = statementOf(
				(
					bind,
				) => `SELECT id, reseller, url FROM webhook_endpoints WHERE lower(url) LIKE ${bind(anywhere(text))} ESCAPE '!'
					ORDER BY reseller, id LIMIT ${bind(HOSTS_SEARCHED)}`,
			);
			return (await heavy({ owner: OPERATORS, statement })) as readonly Pick<Webhook, 'id' | 'reseller' | 'url'>[];
		},
		async listDueWebhooks({ owner, nowMs, leaseMs, limit }) {
			const statement = { sql: DUE, values: [nowMs, MOST_AHEAD_MS, leaseMs, owner, limit] };
			const rows = (await quick({ owner: DELIVERING, statement })) as readonly Pick<Webhook, 'id'>[];
			return rows.map(({ id }) => id);
		},
		findWebhook: gatherReads(findMany, opened, { ownerOf: (id) => id, most: FOUND_AT_ONCE }),
	};
}

type ListedRow = WebhookRow & { readonly newestEvent: number };
type GradedRow = ListedRow & { readonly grade: number };

type TryRow = { readonly [Key in keyof StoredTry]: StoredTry[Key] | null };

interface LeasedRow extends WebhookRow, Omit<LeasedWebhook, 'webhook' | 'secrets'> {
	readonly sealedSecret: string;
	readonly sealedPreviousSecret: string | null;
	readonly previousUntilMs: number | null;
}

const OWN = 'JOIN accounts AS own ON own.reseller = webhook.reseller AND own.username = webhook.reseller';

const LISTED = `SELECT ${WEBHOOK_COLUMNS}, (SELECT newest_event FROM accounts
		WHERE accounts.reseller = webhook.reseller AND username = webhook.reseller) AS "newestEvent"
	FROM webhook_endpoints AS webhook`;

const GRADE = `CASE WHEN "offReason" IN ('switched_off', 'copied') THEN CASE "offReason" WHEN 'copied' THEN 1 ELSE 4 END
	WHEN "offReason" IS NOT NULL THEN 0 WHEN "failingSinceMs" IS NOT NULL THEN 2 ELSE 3 END`;
/** How far it is ahead of the newest event: below zero if it is behind. */
const AHEAD = 'CASE WHEN "newestEvent" > "reachedNumber" THEN "reachedNumber" - "newestEvent" ELSE 0 END';

function listWorst({ search, after, backwards, limit }: WorstQuery): SharedStatement {
	const direction = backwards ? ' DESC' : '';
	return statementOf((bind) => {
		const ofResellers = rangeCondition('reseller', { prefix: search, descends: false }, bind);
		const condition = after
			? `WHERE (grade, ahead, id) ${backwards ? '<' : '>'} (${bind(after.grade)}, ${bind(-after.eventsBehind)}, ${bind(after.id)})`
			: '';
		const order = ['grade', 'ahead', 'id'].map((column) => column + direction).join(', ');
		return `SELECT * FROM (
				SELECT *, ${GRADE} AS grade, ${AHEAD} AS ahead FROM (${LISTED} WHERE ${ofResellers}) AS listed
			) AS graded ${condition} ORDER BY ${order} LIMIT ${bind(limit)}`;
	});
}

/** One row without a try if the webhook has none. */
const TRIES = `SELECT event_number AS "eventNumber", event_id AS "eventId", event_type AS "eventType", at_ms AS "atMs",
		status, failure, took_ms AS "tookMs", answer
	FROM webhook_endpoints AS webhook LEFT JOIN webhook_tries ON webhook_tries.webhook = webhook.id
	WHERE webhook.reseller = $1 AND webhook.id = $2
	ORDER BY (webhook.all_tries - 1 - slot + ${KEPT_TRIES}) % ${KEPT_TRIES}`;

/**
 * $1: now, $2: what is further ahead is due too, $3: the length of a lease, $4: the process, $5: how many. A log that was
 * restored may have fewer events than a webhook has reached.
 */
const DUE = `SELECT id FROM (
		SELECT webhook.id, next_at_ms, row_number() OVER (PARTITION BY webhook.reseller ORDER BY next_at_ms, webhook.id) AS turn
		FROM webhook_endpoints AS webhook ${OWN}
		WHERE (lease_owner = $4 OR ${LEASE_IS_OVER('$1', '$3')}) AND (test_at_ms IS NOT NULL
			OR (off_reason IS NULL AND own.newest_event <> reached_number AND (next_at_ms <= $1 OR next_at_ms > $1 + $2)))
	) AS due ORDER BY turn, next_at_ms, id LIMIT $5`;

const FIND = `SELECT ${WEBHOOK_COLUMNS}, sealed_secret AS "sealedSecret", sealed_previous_secret AS "sealedPreviousSecret",
		previous_until_ms AS "previousUntilMs", lease_owner AS "leaseOwner", lease_until_ms AS "leaseUntilMs",
		all_tries AS "allTries"
	FROM webhook_endpoints`;
