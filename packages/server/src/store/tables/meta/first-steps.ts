import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';

/**
 * What was done already of what is done first: one small read for each list, because each part of it looks for one row.
 * Rejects with `StoreUnavailableError`.
 */
export interface FirstStepsReads {
	/** For this operator. */
	readServiceSteps(person: string): Promise<ServiceStepsDone>;
	/** For this person of the reseller. */
	readResellerSteps(reseller: string, person: string): Promise<ResellerStepsDone>;
}

interface ServiceStepsDone {
	/** Whether another operator can sign in. */
	readonly operator: boolean;
	readonly reseller: boolean;
	readonly price: boolean;
	readonly topUp: boolean;
	/** Whether a person of a reseller was invited. */
	readonly person: boolean;
	/** Whether an edge was heard from. */
	readonly edge: boolean;
}

interface ResellerStepsDone {
	readonly subUser: boolean;
	readonly give: boolean;
	readonly bytes: boolean;
	readonly warning: boolean;
	/** Whether there is another person. */
	readonly person: boolean;
	/** Whether a program has used a token. */
	readonly api: boolean;
}

export function firstStepsReads(lanes: ReadLanes): FirstStepsReads {
	const read = quickReads(lanes);

	async function look<Name extends string>(
		owner: string,
		rows: Readonly<Record<Name, string>>,
		values: readonly string[],
	) {
		const columns = (Object.entries(rows) as [Name, string][]).map(
			([name, row]) => `CASE WHEN EXISTS (SELECT 1 FROM ${row} LIMIT 1) THEN 1 ELSE 0 END AS "${name}"`,
		);
		const [found] = await read<Record<Name, 0 | 1>>(owner, `SELECT ${columns.join(', ')}`, values);
		return Object.fromEntries(Object.keys(rows).map((name) => [name, found?.[name as Name] === 1])) as Record<
			Name,
			boolean
		>;
	}

	return {
		readServiceSteps: (person) => look(OPERATORS, SERVICE, [person]),
		readResellerSteps: (reseller, person) => look(reseller, RESELLER, [reseller, person]),
	};
}

/** The rows, one of which tells that a step was done. $1: the person. */
const SERVICE = {
	operator: 'people WHERE reseller IS NULL AND id <> $1 AND password_hash IS NOT NULL AND locked_at_ms IS NULL',
	reseller: 'accounts',
	price: 'current_prices WHERE micro_usd_per_gb IS NOT NULL',
	topUp: 'top_ups WHERE amount_cents > 0',
	person: 'people WHERE reseller IS NOT NULL',
	edge: 'edges WHERE last_seen_at_ms IS NOT NULL',
} as const;

/**
 * Among how many of a reseller's oldest, and of its newest, movements the first gift is looked for.
 * @bound Movements among which a gift is looked for, the oldest and the newest: others do not tick the step off.
 */
const MOVEMENTS_LOOKED_AT = 200;
const movements = (direction: '' | ' DESC') =>
	`(SELECT kind FROM transfers WHERE reseller = $1 ORDER BY id${direction} LIMIT ${MOVEMENTS_LOOKED_AT}) AS looked_at${direction.trim()}`;

/** $1: the reseller, $2: the person. */
const RESELLER = {
	subUser: 'accounts WHERE reseller = $1 AND username <> $1',
	give: `(SELECT kind FROM ${movements('')} UNION ALL SELECT kind FROM ${movements(' DESC')}) AS gifts WHERE kind = 'give'`,
	bytes: 'usage_reseller_days WHERE reseller = $1',
	warning: 'low_balances WHERE reseller = $1',
	person: 'people WHERE reseller = $1 AND id <> $2',
	api: 'tokens WHERE reseller = $1 AND last_used_at_ms IS NOT NULL',
} as const;
