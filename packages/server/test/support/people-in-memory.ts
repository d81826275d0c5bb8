import assert from 'node:assert/strict';
import { decidePerson } from '../../src/commands/decide-person.ts';
import { type PersonCommand, type PersonOutcomeOf, personVerbOf } from '../../src/commands/registry.ts';
import { type Brand, OWN_BRAND } from '../../src/domain/operators/brand.ts';
import type { OperatorToken } from '../../src/domain/operators/operator-token.ts';
import type { RecordedAct } from '../../src/domain/people/act.ts';
import { type Invitation, isLiveSession, type Person, type PersonRecord } from '../../src/domain/people/person.ts';
import type { PersonEffect } from '../../src/domain/people/person-effect.ts';
import type { PersonFacts, PersonKey } from '../../src/domain/people/person-facts.ts';
import { NOON_MS } from './commands.ts';
import { emailOf } from './person-commands.ts';

/** The tables of people, in memory. */
export interface PeopleInMemory {
	/** Decides a command from what it says it needs, and nothing else, and applies its effects. */
	run<C extends PersonCommand>(command: C, nowMs: number): PersonOutcomeOf<C>;
	/** Everything about the person that `emailOf` names. */
	record(person: string): PersonRecord;
	/** The same, if there is such a person. */
	find(person: string): PersonRecord | undefined;
	readonly removed: readonly Person[];
	readonly acts: readonly RecordedAct[];
	readonly tries: ReadonlyMap<string, number>;
	/** USD cents by reseller. */
	readonly lowBalances: ReadonlyMap<string, number>;
	/** The verifications without an end. */
	readonly running: ReadonlyMap<string, { readonly startedBy: string; readonly notedAtMs: number }>;
	readonly edges: ReadonlyMap<string, EdgeInMemory>;
	/** By their ids. */
	readonly operatorTokens: ReadonlyMap<string, OperatorToken>;
	brand(): Brand;
}

type EdgeInMemory = NonNullable<PersonFacts['edge']>;

export function peopleInMemory({
	resellers = ['acme', 'other'],
	sendsMail = false,
}: {
	readonly resellers?: readonly string[];
	readonly sendsMail?: boolean;
} = {}): PeopleInMemory {
	const people = new Map<string, PersonRecord>();
	const removed: Person[] = [];
	const tries = new Map<string, number>();
	const challenges = new Set<string>();
	const acts: RecordedAct[] = [];
	const lowBalances = new Map<string, number>();
	/** The verifications without an end. */
	const running = new Map<string, { readonly startedBy: string; readonly notedAtMs: number }>();
	const edges = new Map<string, EdgeInMemory>();
	const operatorTokens = new Map<string, OperatorToken>();
	const choices = new Map<string, boolean>();
	const alarms = new Set<string>();
	let claim: Invitation | undefined;
	let brand = OWN_BRAND;
	const all = () => [...people.values()];

	function find({ by, value }: PersonKey): PersonRecord | undefined {
		return all().find(({ person, invitation, sessions, passkeys }) => {
			const names = {
				id: [person.id],
				email: [person.email],
				link: [invitation?.hash],
				session: sessions.map(({ hash }) => hash),
				passkey: passkeys.map(({ id }) => id),
			};
			return names[by].includes(value);
		});
	}

	function factsFor(command: PersonCommand, nowMs: number): PersonFacts {
		const needs = personVerbOf(command).needs(command, nowMs);
		const { sessionsAtMs } = needs;
		const live = all().flatMap(({ sessions }) => sessions.filter((each) => isLiveSession(each, sessionsAtMs ?? 0)));
		return {
			record: needs.person && find(needs.person),
			operatorTokens: needs.operatorTokens ? [...operatorTokens.values()] : [],
			brand: needs.brand ? brand : OWN_BRAND,
			webhooksOn: 0,
			webhooksCopied: 0,
			isResellerKnown: needs.reseller !== undefined && resellers.includes(needs.reseller),
			claim: needs.claim && claim,
			hasOperator: needs.claim === true && all().some(({ person }) => person.reseller === null),
			teamSize: all().filter(({ person }) => person.reseller === needs.teamOf).length,
			hasOtherOperator: all().some(
				({ person: { email, reseller, passwordHash, lockedAtMs } }) =>
					reseller === null && email !== needs.otherOperator && passwordHash !== null && lockedAtMs === null,
			),
			isActRecorded: acts.some(({ id }) => id === needs.act),
			tries: (needs.tries ?? []).flatMap((key) => {
				const forgivenAtMs = tries.get(key);
				return forgivenAtMs === undefined ? [] : [{ key, forgivenAtMs }];
			}),
			isChallengeUsed: needs.challenge !== undefined && challenges.has(needs.challenge),
			isPasskeyTaken: needs.passkey !== undefined && find({ by: 'passkey', value: needs.passkey }) !== undefined,
			lowBalanceCents:
				lowBalances.get((needs.lowBalanceOf && people.get(needs.lowBalanceOf)?.person.reseller) || '') ?? null,
			liveSessions: sessionsAtMs === undefined ? 0 : live.length,
			caller: needs.caller && find(needs.caller),
			verificationsNotedAtMs: needs.verifications
				? running
						.values()
						.map(({ notedAtMs }) => notedAtMs)
						.toArray()
				: [],
			edge: edges.get(needs.edge ?? ''),
			edges: edges.size,
			isEdgeKeyTaken: [...edges.values()].some(({ keyHash }) => keyHash !== null && keyHash === needs.edgeKey),
			mailChoice: choices.get(`${needs.mailChoice?.person} ${needs.mailChoice?.mail}`),
			sendsMail: needs.mailSetup === true && sendsMail,
			dueMails: [],
			isAlarmRaised: needs.alarm !== undefined && alarms.has(`${needs.alarm.alarm} ${needs.alarm.subject}`),
			correction: undefined,
			usage: undefined,
		};
	}

	function change(id: string, changed: Partial<PersonRecord>): void {
		people.set(id, { ...(people.get(id) ?? assert.fail(`there is no person ${id}`)), ...changed });
	}

	function ownerOf(by: PersonKey['by'], value: string): PersonRecord {
		return find({ by, value }) ?? assert.fail(`nobody has the ${by} ${value}`);
	}

	function apply(effect: PersonEffect): void {
		switch (effect.kind) {
			case 'add_person': {
				const nothing = { invitation: undefined, codes: undefined, recoveryCodes: [], passkeys: [], sessions: [] };
				people.set(effect.person.id, { person: effect.person, ...nothing });
				break;
			}
			case 'change_person':
				change(effect.person.id, { person: effect.person });
				break;
			case 'remove_person':
				people.delete(effect.person.id);
				removed.push(effect.person);
				break;
			case 'set_invitation':
				if (effect.invitation.purpose === 'claim') claim = effect.invitation;
				else change(effect.invitation.person, { invitation: effect.invitation });
				break;
			case 'remove_invitation':
				if (effect.person === claim?.person) claim = undefined;
				change(effect.person, { invitation: undefined });
				break;
			case 'add_session': {
				assert.equal(find({ by: 'session', value: effect.session.hash }), undefined);
				const { person } = effect.session;
				change(person, { sessions: [...ownerOf('id', person).sessions, effect.session] });
				break;
			}
			case 'remove_session': {
				const owner = ownerOf('session', effect.hash);
				change(owner.person.id, { sessions: owner.sessions.filter(({ hash }) => hash !== effect.hash) });
				break;
			}
			case 'remove_all_sessions':
				for (const { person } of all()) change(person.id, { sessions: [] });
				break;
			case 'remove_all_invitations':
				claim = undefined;
				for (const { person } of all()) change(person.id, { invitation: undefined });
				break;
			case 'end_all_edge_links':
				for (const [name, edge] of edges) edges.set(name, { ...edge, linkHash: null });
				break;
			case 'set_codes':
				change(effect.codes.person, { codes: effect.codes });
				break;
			case 'remove_codes':
				change(effect.person, { codes: undefined });
				break;
			case 'replace_recovery_codes':
				change(effect.person, { recoveryCodes: effect.hashes });
				break;
			case 'add_passkey': {
				const { person } = effect.passkey;
				change(person, { passkeys: [...ownerOf('id', person).passkeys, effect.passkey] });
				break;
			}
			case 'change_passkey':
			case 'remove_passkey': {
				const id = effect.kind === 'remove_passkey' ? effect.id : effect.passkey.id;
				const owner = ownerOf('passkey', id);
				const others = owner.passkeys.filter((each) => each.id !== id);
				change(owner.person.id, { passkeys: 'passkey' in effect ? [...others, effect.passkey] : others });
				break;
			}
			case 'set_tries':
				tries.set(effect.tries.key, effect.tries.forgivenAtMs);
				break;
			case 'remove_tries':
				tries.delete(effect.key);
				break;
			case 'use_challenge':
				challenges.add(effect.hash);
				break;
			case 'set_low_balance':
				if (effect.lowBalanceCents === null) lowBalances.delete(effect.reseller);
				else lowBalances.set(effect.reseller, effect.lowBalanceCents);
				break;
			case 'begin_verification': {
				const { id, startedBy, startedAtMs } = effect.verification;
				running.clear();
				running.set(id, { startedBy, notedAtMs: startedAtMs });
				break;
			}
			case 'set_edge_key': {
				const { name, keyHash } = effect.edge;
				edges.set(name, { keyHash, linkHash: null, linkExpiresAtMs: null, revokedAtMs: null });
				break;
			}
			case 'set_edge_link': {
				const { name, linkHash, linkExpiresAtMs } = effect.edge;
				edges.set(name, { keyHash: null, linkHash, linkExpiresAtMs, revokedAtMs: null });
				break;
			}
			case 'join_edge': {
				const edge = edges.get(effect.name) ?? assert.fail(`there is no edge ${effect.name}`);
				edges.set(effect.name, { ...edge, keyHash: effect.keyHash });
				break;
			}
			case 'revoke_edge': {
				const edge = edges.get(effect.name) ?? assert.fail(`there is no edge ${effect.name}`);
				const ended = { keyHash: null, linkHash: null, linkExpiresAtMs: null };
				edges.set(effect.name, { ...edge, ...ended, revokedAtMs: effect.revokedAtMs });
				break;
			}
			case 'add_operator_token':
				operatorTokens.set(effect.token.id, effect.token);
				break;
			case 'remove_operator_token':
				assert.ok(operatorTokens.delete(effect.id));
				break;
			case 'set_brand':
				brand = effect.brand;
				break;
			case 'record_act':
				acts.push(effect.act);
				break;
			case 'correct_usage':
				throw new Error('there is no bandwidth here');
			case 'choose_mail':
				choices.set(`${effect.person} ${effect.mail}`, effect.isWanted);
				break;
			case 'raise_alarm':
				alarms.add(`${effect.alarm} ${effect.subject}`);
				break;
			case 'end_alarm':
				alarms.delete(`${effect.alarm} ${effect.subject}`);
				break;
			// The outbox and webhooks are in stores only.
			case 'pause_webhooks':
			case 'resume_webhooks':
			case 'notify':
			case 'mail_link':
			case 'begin_mail':
			case 'retry_mail':
			case 'clear_mails':
			case 'end_try':
				break;
			// The rules do not depend on what was forgotten.
			case 'forget_tries':
			case 'forget_challenges':
				break;
			default:
				effect satisfies never;
		}
	}

	return {
		run<C extends PersonCommand>(command: C, nowMs: number) {
			const { outcome, effects } = decidePerson(factsFor(command, nowMs), command, nowMs);
			if (!outcome.ok) assert.deepEqual(effects, [], 'a refusal changes nothing');
			for (const effect of effects) apply(effect);
			return outcome as PersonOutcomeOf<C>;
		},
		record: (person) => ownerOf('email', emailOf(person)),
		find: (person) => find({ by: 'email', value: emailOf(person) }),
		removed,
		acts,
		tries,
		lowBalances,
		running,
		edges,
		operatorTokens,
		brand: () => brand,
	};
}

/** People on which these commands have succeeded, and how later commands end: `ok` or the error. */
export function runsOf(...before: readonly PersonCommand[]) {
	const people = peopleInMemory();
	const run = (command: PersonCommand, nowMs = NOON_MS) => {
		const outcome = people.run(command, nowMs);
		return outcome.ok ? 'ok' : outcome.error;
	};
	const runAll = (...commands: readonly PersonCommand[]) => {
		for (const command of commands) assert.equal(run(command), 'ok', command.kind);
	};
	runAll(...before);
	return { people, run, runAll };
}
