import { decidePerson } from '../../../commands/decide-person.ts';
import type { PersonCommand, PersonOutcome } from '../../../commands/registry.ts';
import { personVerbOf } from '../../../commands/registry.ts';
import type { UsageCorrection } from '../../../domain/operators/usage-correction.ts';
import type { Invitation } from '../../../domain/people/person.ts';
import type { PersonFacts, PersonNeeds } from '../../../domain/people/person-facts.ts';
import type { Tries } from '../../../domain/people/tries.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { JsonFunctions, SharedStatement } from '../../statement.ts';
import { brandOf, READ_BRAND } from '../brand/brand.ts';
import { type DueRow, dueMails, IF_MAIL_IS_ON, outboxRowOf } from '../mail/outbox.ts';
import { LIST_OPERATOR_TOKENS, operatorTokensOf } from '../tokens/operator-tokens.ts';
import { findCorrection, usageFound, usageOn } from '../usage/corrections.ts';
import { COUNT_SWITCHED } from '../webhooks/webhooks.ts';
import { LIVE_SESSIONS, liveSessionsAt } from './live-sessions.ts';
import { CLAIMS, OPERATORS, personOf, readPerson } from './person.ts';
import { personWrites } from './writes.ts';

/** What a decided command answers and writes. */
interface DecidedPerson {
	readonly outcome: PersonOutcome;
	readonly writes: readonly SharedStatement[];
}

/** What is read: what a command needs; for a claim, an operator; and with a correction, the bandwidth that it changes. */
type ReadName = keyof PersonNeeds | 'operator' | 'usage';

/** A command about a person, as an engine runs it: it reads, decides on the rows and writes. */
export interface PersonSteps {
	readonly reads: readonly SharedStatement[];
	/** `rows` are those of each read. Throws if the rules do. */
	decide(rows: readonly (readonly object[])[]): DecidedPerson;
}

export function personSteps(command: PersonCommand, nowMs: number, seal: KeySeal, json: JsonFunctions): PersonSteps {
	const reads = readsOf(personVerbOf(command).needs(command, nowMs), json);
	const names = [...reads.keys()];
	return {
		reads: [...reads.values()],
		decide(rows) {
			const rowsOf = (name: ReadName) => rows[names.indexOf(name)] ?? [];
			const { outcome, effects } = decidePerson(factsOf(rowsOf, seal), command, nowMs);
			return { outcome, writes: effects.flatMap((effect) => personWrites(effect, seal)) };
		},
	};
}

function readsOf(needs: PersonNeeds, json: JsonFunctions): ReadonlyMap<ReadName, SharedStatement> {
	const reads = new Map<ReadName, SharedStatement>();
	const { person, caller, reseller, act, tries = [], challenge, passkey, sessionsAtMs, lowBalanceOf } = needs;
	const find = (name: ReadName, sql: string, value: string | undefined) => {
		if (value !== undefined) reads.set(name, { sql, values: [value] });
	};
	if (person) reads.set('person', readPerson(person, json));
	if (caller) reads.set('caller', readPerson(caller, json));
	find('reseller', 'SELECT 1 FROM usernames WHERE username = $1 AND reseller = username', reseller);
	find('teamOf', 'SELECT count(*) AS people FROM people WHERE reseller = $1', needs.teamOf);
	find('act', 'SELECT 1 FROM acts WHERE id = $1', act);
	if (needs.claim) {
		reads.set('claim', { sql: CLAIMS, values: [] });
		reads.set('operator', { sql: OPERATORS, values: [] });
	}
	const otherOperator = `SELECT 1 FROM people
		WHERE reseller IS NULL AND email <> $1 AND password_hash IS NOT NULL AND locked_at_ms IS NULL LIMIT 1`;
	find('otherOperator', otherOperator, needs.otherOperator);
	if (tries.length > 0) {
		const keys = tries.map((_, index) => `$${index + 1}`).join(', ');
		const sql = `SELECT key, forgiven_at_ms AS "forgivenAtMs" FROM sign_in_tries WHERE key IN (${keys})`;
		reads.set('tries', { sql, values: tries });
	}
	find('challenge', 'SELECT 1 FROM used_challenges WHERE hash = $1', challenge);
	find('passkey', 'SELECT 1 FROM passkeys WHERE id = $1', passkey);
	const lowBalance = `SELECT low_balance_cents AS cents FROM low_balances
		WHERE reseller = (SELECT reseller FROM people WHERE id = $1)`;
	find('lowBalanceOf', lowBalance, lowBalanceOf);
	if (needs.verifications) {
		const sql = 'SELECT noted_at_ms AS "notedAtMs" FROM verifications WHERE ended_at_ms IS NULL';
		reads.set('verifications', { sql, values: [] });
	}
	if (sessionsAtMs !== undefined) {
		const sql = `SELECT count(*) AS sessions FROM sessions WHERE ${LIVE_SESSIONS}`;
		reads.set('sessionsAtMs', { sql, values: liveSessionsAt(sessionsAtMs) });
	}
	if (needs.edge !== undefined) {
		const sql = `SELECT name, key_hash AS "keyHash", link_hash AS "linkHash", link_expires_at_ms AS "linkExpiresAtMs",
			revoked_at_ms AS "revokedAtMs", (SELECT count(*) FROM edges) AS edges
			FROM (SELECT 1) AS always LEFT JOIN edges ON name = $1`;
		reads.set('edge', { sql, values: [needs.edge] });
	}
	find('edgeKey', 'SELECT 1 FROM edges WHERE key_hash = $1', needs.edgeKey);
	if (needs.mailChoice) {
		const sql = 'SELECT wanted FROM mail_choices WHERE person = $1 AND kind = $2';
		reads.set('mailChoice', { sql, values: [needs.mailChoice.person, needs.mailChoice.mail] });
	}
	if (needs.mailSetup) reads.set('mailSetup', { sql: `SELECT 1 ${IF_MAIL_IS_ON}`, values: [] });
	if (needs.mailsAtMs !== undefined) reads.set('mailsAtMs', dueMails(needs.mailsAtMs));
	if (needs.alarm) {
		const sql = 'SELECT 1 FROM alarms WHERE kind = $1 AND subject = $2';
		reads.set('alarm', { sql, values: [needs.alarm.alarm, needs.alarm.subject] });
	}
	if (needs.operatorTokens) reads.set('operatorTokens', LIST_OPERATOR_TOKENS);
	if (needs.brand) reads.set('brand', READ_BRAND);
	if (needs.webhooks) reads.set('webhooks', COUNT_SWITCHED);
	if (needs.correction) {
		const { reference, username, day } = needs.correction;
		reads.set('correction', findCorrection(reference));
		reads.set('usage', usageOn(username, day));
	}
	return reads;
}

/** One row, also if there is no such edge. */
interface EdgeRow {
	readonly name: string | null;
	readonly keyHash: string | null;
	readonly linkHash: string | null;
	readonly linkExpiresAtMs: number | null;
	readonly revokedAtMs: number | null;
	readonly edges: number;
}

function factsOf(rowsOf: (name: ReadName) => readonly object[], seal: KeySeal): PersonFacts {
	const found = (name: ReadName) => rowsOf(name).length > 0;
	const running = rowsOf('verifications') as readonly { readonly notedAtMs: number }[];
	const [edge] = rowsOf('edge') as readonly EdgeRow[];
	const [live] = rowsOf('sessionsAtMs') as readonly { readonly sessions: number }[];
	const [team] = rowsOf('teamOf') as readonly { readonly people: number }[];
	const [lowBalance] = rowsOf('lowBalanceOf') as readonly { readonly cents: number }[];
	const [webhooks] = rowsOf('webhooks') as readonly Pick<PersonFacts, 'webhooksOn' | 'webhooksCopied'>[];
	const [choice] = rowsOf('mailChoice') as readonly { readonly wanted: number }[];
	return {
		record: personOf(rowsOf('person')[0], seal),
		isResellerKnown: found('reseller'),
		isActRecorded: found('act'),
		claim: rowsOf('claim')[0] as Invitation | undefined,
		hasOperator: found('operator'),
		hasOtherOperator: found('otherOperator'),
		teamSize: team?.people ?? 0,
		tries: rowsOf('tries') as readonly Tries[],
		isChallengeUsed: found('challenge'),
		isPasskeyTaken: found('passkey'),
		liveSessions: live?.sessions ?? 0,
		caller: personOf(rowsOf('caller')[0], seal),
		verificationsNotedAtMs: running.map(({ notedAtMs }) => notedAtMs),
		edge: edge && edge.name !== null ? edge : undefined,
		edges: edge?.edges ?? 0,
		isEdgeKeyTaken: found('edgeKey'),
		lowBalanceCents: lowBalance?.cents ?? null,
		mailChoice: choice && choice.wanted === 1,
		sendsMail: found('mailSetup'),
		dueMails: (rowsOf('mailsAtMs') as readonly DueRow[]).map((row) => outboxRowOf(row, seal)),
		isAlarmRaised: found('alarm'),
		operatorTokens: operatorTokensOf(rowsOf('operatorTokens')),
		brand: brandOf(rowsOf('brand')),
		webhooksOn: webhooks?.webhooksOn ?? 0,
		webhooksCopied: webhooks?.webhooksCopied ?? 0,
		correction: rowsOf('correction')[0] as UsageCorrection | undefined,
		usage: usageFound(rowsOf('usage')),
	};
}
