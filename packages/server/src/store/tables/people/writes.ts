import { KEPT_VERIFICATIONS } from '../../../domain/operators/verification.ts';
import { FORGET_AT_ONCE, type PersonEffect } from '../../../domain/people/person-effect.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { SharedStatement } from '../../statement.ts';
import { writeBrand } from '../brand/brand.ts';
import { ADD_ACT, actValues } from '../changes/acts.ts';
import { mailWrites } from '../mail/outbox.ts';
import { addOperatorToken, removeOperatorToken } from '../tokens/operator-tokens.ts';
import { correctUsage } from '../usage/corrections.ts';
import { switchingWebhooks } from '../webhooks/webhooks.ts';
import { sealLink } from './mailed-links.ts';
import { codesContext } from './person.ts';

/** The statements that write an effect, for any engine. */
export function personWrites(effect: PersonEffect, seal: KeySeal): readonly SharedStatement[] {
	switch (effect.kind) {
		case 'add_person':
		case 'change_person':
			return [writePerson(effect)];
		case 'remove_person':
			return removePerson(effect);
		case 'set_invitation':
		case 'remove_invitation':
		case 'remove_all_invitations':
			return [writeInvitation(effect, seal)];
		case 'add_session':
		case 'remove_session':
		case 'remove_all_sessions':
			return [writeSession(effect)];
		case 'set_codes':
		case 'remove_codes':
			return [writeCodes(effect, seal)];
		case 'replace_recovery_codes':
			return replaceRecoveryCodes(effect);
		case 'add_passkey':
		case 'change_passkey':
		case 'remove_passkey':
			return [writePasskey(effect)];
		case 'set_tries':
		case 'remove_tries':
		case 'forget_tries':
			return [writeTries(effect)];
		case 'use_challenge':
		case 'forget_challenges':
			return [writeChallenge(effect)];
		case 'set_low_balance':
			return [writeLowBalance(effect)];
		case 'begin_verification':
			return beginVerification(effect);
		case 'pause_webhooks':
		case 'resume_webhooks':
			return switchingWebhooks(effect);
		case 'add_operator_token':
			return [addOperatorToken(effect.token)];
		case 'remove_operator_token':
			return [removeOperatorToken(effect.id)];
		case 'set_brand':
			return [writeBrand(effect.brand)];
		case 'set_edge_key':
		case 'set_edge_link':
		case 'join_edge':
		case 'revoke_edge':
		case 'end_all_edge_links':
			return [writeEdge(effect)];
		case 'correct_usage':
			return correctUsage(effect.correction);
		case 'notify':
		case 'mail_link':
		case 'choose_mail':
		case 'raise_alarm':
		case 'end_alarm':
		case 'begin_mail':
		case 'retry_mail':
		case 'clear_mails':
		case 'end_try':
			return mailWrites(effect);
		case 'record_act':
			return [writeAct(effect)];
	}
}

type Effect<Kind extends PersonEffect['kind']> = Extract<PersonEffect, { readonly kind: Kind }>;
type Values = SharedStatement['values'];

/** Writes one row, or fails. */
const one = (sql: string, ...values: Values): SharedStatement => ({ sql, values, rows: 1 });
/** Writes any number of rows. */
const any = (sql: string, ...values: Values): SharedStatement => ({ sql, values });

function writePerson({ kind, person }: Effect<'add_person' | 'change_person'>): SharedStatement {
	const { id, email, reseller, role, passwordHash, createdAtMs, lockedAtMs } = person;
	if (kind === 'change_person') {
		return one(
			'UPDATE people SET role = $1, password_hash = $2, locked_at_ms = $3 WHERE id = $4',
			...[role, passwordHash, lockedAtMs, id],
		);
	}
	return one(
		`INSERT INTO people (id, email, reseller, role, password_hash, created_at_ms, locked_at_ms)
		 VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		...[id, email, reseller, role, passwordHash, createdAtMs, lockedAtMs],
	);
}

/** Everything that names a person, by its column of their ids. */
const OF_PERSON = [
	'sessions',
	'invitations',
	'one_time_codes',
	'recovery_codes',
	'passkeys',
	'outbox',
	'mail_choices',
] as const;

function removePerson({ person, removedAtMs }: Effect<'remove_person'>): readonly SharedStatement[] {
	const { id, email, reseller } = person;
	return [
		...OF_PERSON.map((table) => any(`DELETE FROM ${table} WHERE person = $1`, id)),
		one('DELETE FROM people WHERE id = $1', id),
		one(
			'INSERT INTO removed_people (id, email, reseller, removed_at_ms) VALUES ($1, $2, $3, $4)',
			...[id, email, reseller, removedAtMs],
		),
	];
}

function writeInvitation(
	effect: Effect<'set_invitation' | 'remove_invitation' | 'remove_all_invitations'>,
	seal: KeySeal,
): SharedStatement {
	if (effect.kind === 'remove_all_invitations') return any('DELETE FROM invitations');
	if (effect.kind === 'remove_invitation') return one('DELETE FROM invitations WHERE person = $1', effect.person);
	const { mailedSecret } = effect;
	const { person, hash, purpose, expiresAtMs } = effect.invitation;
	return one(
		`INSERT INTO invitations (person, hash, purpose, expires_at_ms, sealed_secret) VALUES ($1, $2, $3, $4, $5)
		 ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, purpose = excluded.purpose,
		 expires_at_ms = excluded.expires_at_ms, sealed_secret = excluded.sealed_secret`,
		...[person, hash, purpose, expiresAtMs, mailedSecret === undefined ? null : sealLink(mailedSecret, hash, seal)],
	);
}

function writeSession(effect: Effect<'add_session' | 'remove_session' | 'remove_all_sessions'>): SharedStatement {
	if (effect.kind === 'remove_all_sessions') return any('DELETE FROM sessions');
	if (effect.kind === 'remove_session') return one('DELETE FROM sessions WHERE hash = $1', effect.hash);
	const { hash, id, person, browser, address, signedInAtMs, lastSeenAtMs, provenAtMs } = effect.session;
	return one(
		`INSERT INTO sessions (hash, id, person, browser, address, signed_in_at_ms, last_seen_at_ms, proven_at_ms)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		...[hash, id, person, browser, address, signedInAtMs, lastSeenAtMs, provenAtMs],
	);
}

function writeCodes(effect: Effect<'set_codes' | 'remove_codes'>, seal: KeySeal): SharedStatement {
	if (effect.kind === 'remove_codes') return one('DELETE FROM one_time_codes WHERE person = $1', effect.person);
	const { person, secret, lastStep } = effect.codes;
	return one(
		`INSERT INTO one_time_codes (person, sealed_secret, last_step) VALUES ($1, $2, $3) ON CONFLICT (person)
		 DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = excluded.last_step`,
		...[person, seal.seal(secret, codesContext(person)), lastStep],
	);
}

function replaceRecoveryCodes({ person, hashes }: Effect<'replace_recovery_codes'>): readonly SharedStatement[] {
	return [
		any('DELETE FROM recovery_codes WHERE person = $1', person),
		...hashes.map((hash) => one('INSERT INTO recovery_codes (person, hash) VALUES ($1, $2)', person, hash)),
	];
}

function writePasskey(effect: Effect<'add_passkey' | 'change_passkey' | 'remove_passkey'>): SharedStatement {
	if (effect.kind === 'remove_passkey') return one('DELETE FROM passkeys WHERE id = $1', effect.id);
	const { id, person, publicKey, counter, transports, name, createdAtMs, lastUsedAtMs } = effect.passkey;
	if (effect.kind === 'change_passkey') {
		return one(
			'UPDATE passkeys SET name = $1, counter = $2, last_used_at_ms = $3 WHERE id = $4 AND person = $5',
			...[name, counter, lastUsedAtMs, id, person],
		);
	}
	return one(
		`INSERT INTO passkeys (id, person, public_key, counter, transports, name, created_at_ms, last_used_at_ms)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		...[id, person, publicKey, counter, JSON.stringify(transports), name, createdAtMs, lastUsedAtMs],
	);
}

function writeTries(effect: Effect<'set_tries' | 'remove_tries' | 'forget_tries'>): SharedStatement {
	switch (effect.kind) {
		case 'set_tries':
			return one(
				`INSERT INTO sign_in_tries (key, forgiven_at_ms) VALUES ($1, $2)
				 ON CONFLICT (key) DO UPDATE SET forgiven_at_ms = excluded.forgiven_at_ms`,
				...[effect.tries.key, effect.tries.forgivenAtMs],
			);
		case 'remove_tries':
			return any('DELETE FROM sign_in_tries WHERE key = $1', effect.key);
		case 'forget_tries':
			return any(
				`DELETE FROM sign_in_tries WHERE key IN
				 (SELECT key FROM sign_in_tries WHERE forgiven_at_ms <= $1 ORDER BY forgiven_at_ms LIMIT $2)`,
				...[effect.atMs, FORGET_AT_ONCE],
			);
	}
}

function writeChallenge(effect: Effect<'use_challenge' | 'forget_challenges'>): SharedStatement {
	if (effect.kind === 'use_challenge') {
		return one('INSERT INTO used_challenges (hash, expires_at_ms) VALUES ($1, $2)', effect.hash, effect.expiresAtMs);
	}
	return any(
		`DELETE FROM used_challenges WHERE hash IN
		 (SELECT hash FROM used_challenges WHERE expires_at_ms < $1 ORDER BY expires_at_ms LIMIT $2)`,
		...[effect.beforeMs, FORGET_AT_ONCE],
	);
}

function writeAct({ act }: Effect<'record_act'>): SharedStatement {
	return one(ADD_ACT, ...actValues(act));
}

/** Below another threshold, the balance is low anew. */
function writeLowBalance({ reseller, lowBalanceCents }: Effect<'set_low_balance'>): SharedStatement {
	if (lowBalanceCents === null) return any('DELETE FROM low_balances WHERE reseller = $1', reseller);
	return one(
		`INSERT INTO low_balances (reseller, low_balance_cents) VALUES ($1, $2)
		 ON CONFLICT (reseller) DO UPDATE SET low_balance_cents = excluded.low_balance_cents, told_at_ms = NULL`,
		...[reseller, lowBalanceCents],
	);
}

function beginVerification({ verification }: Effect<'begin_verification'>): readonly SharedStatement[] {
	const { id, startedBy, startedAtMs } = verification;
	return [
		any('UPDATE verifications SET ended_at_ms = noted_at_ms WHERE ended_at_ms IS NULL'),
		// Before the new one is added: it may be the oldest, if the clock was set back.
		any(
			`DELETE FROM verifications WHERE id NOT IN
			 (SELECT id FROM verifications ORDER BY started_at_ms DESC, id LIMIT $1)`,
			KEPT_VERIFICATIONS - 1,
		),
		one(
			`INSERT INTO verifications (id, started_by, started_at_ms, noted_at_ms, done, steps)
			 VALUES ($1, $2, $3, $3, 0, 0)`,
			...[id, startedBy, startedAtMs],
		),
	];
}

/** An edge that waits for its host still has the time of a link, one that is over. */
export const END_EDGE_LINKS =
	'UPDATE edges SET link_hash = NULL, link_expires_at_ms = created_at_ms WHERE link_hash IS NOT NULL';

function writeEdge(
	effect: Effect<'set_edge_key' | 'set_edge_link' | 'join_edge' | 'revoke_edge' | 'end_all_edge_links'>,
): SharedStatement {
	switch (effect.kind) {
		case 'end_all_edge_links':
			return any(END_EDGE_LINKS);
		case 'revoke_edge':
			return one(
				'UPDATE edges SET key_hash = NULL, link_hash = NULL, link_expires_at_ms = NULL, revoked_at_ms = $1 WHERE name = $2',
				...[effect.revokedAtMs, effect.name],
			);
		case 'join_edge': {
			const { name, keyHash, keyTail } = effect;
			return one('UPDATE edges SET key_hash = $1, key_tail = $2 WHERE name = $3', keyHash, keyTail, name);
		}
		case 'set_edge_link': {
			const { name, linkHash, linkExpiresAtMs, createdAtMs } = effect.edge;
			return one(
				`INSERT INTO edges (name, key_tail, link_hash, link_expires_at_ms, created_at_ms) VALUES ($1, '', $2, $3, $4)
				 ON CONFLICT (name) DO UPDATE SET link_hash = excluded.link_hash,
				 link_expires_at_ms = excluded.link_expires_at_ms, created_at_ms = excluded.created_at_ms, revoked_at_ms = NULL`,
				...[name, linkHash, linkExpiresAtMs, createdAtMs],
			);
		}
		case 'set_edge_key': {
			const { name, keyHash, keyTail, createdAtMs } = effect.edge;
			return one(
				`INSERT INTO edges (name, key_hash, key_tail, created_at_ms) VALUES ($1, $2, $3, $4) ON CONFLICT (name)
				 DO UPDATE SET key_hash = excluded.key_hash, key_tail = excluded.key_tail, link_hash = NULL,
				 link_expires_at_ms = NULL, created_at_ms = excluded.created_at_ms, revoked_at_ms = NULL`,
				...[name, keyHash, keyTail, createdAtMs],
			);
		}
	}
}
