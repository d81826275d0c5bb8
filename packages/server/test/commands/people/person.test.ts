import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PASSKEYS } from '@bursar/contract/dashboard';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decidePerson } from '../../../src/commands/decide-person.ts';
import type { PersonCommand } from '../../../src/commands/registry.ts';
import { OWN_BRAND } from '../../../src/domain/operators/brand.ts';
import { hasSecondFactor, MAX_SESSIONS, type PersonRecord, RECOVERY_CODES } from '../../../src/domain/people/person.ts';
import type { PersonFacts } from '../../../src/domain/people/person-facts.ts';
import { NOON_MS } from '../../support/commands.ts';
import { peopleInMemory } from '../../support/people-in-memory.ts';
import {
	accept,
	addPasskey,
	beginVerification,
	by,
	byPasskey,
	byPassword,
	emailOf,
	endSessions,
	invite,
	newSession,
	passwordHashOf,
	RECOVERY_HASHES,
	removeCodes,
	removePasskey,
	setCodes,
	setLowBalance,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';

/** What a random command is made of. */
interface Choice {
	readonly kind: number;
	readonly person: 'ada' | 'bob';
	/** Picks one of the things that the person has, or had. */
	readonly pick: number;
	/** Whether it repeats an earlier act, code, challenge or link. */
	readonly isRepeat: boolean;
	readonly waitMs: number;
}

const aChoice: fc.Arbitrary<Choice> = fc.record({
	kind: fc.nat({ max: 99 }),
	person: fc.constantFrom('ada', 'bob'),
	pick: fc.nat({ max: 1000 }),
	isRepeat: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
	waitMs: fc.nat({ max: 2000 }),
});

test('whatever people do: records stay bounded, operators keep a factor, and nothing is good twice', (t) => {
	const done = new Set<string>();
	const property = fc.property(fc.array(aChoice, { size: 'large', maxLength: 200 }), (choices) => {
		const people = peopleInMemory();
		const good = new Set<string>();
		let nowMs = NOON_MS;
		for (const command of [invite('ada', 'acme'), accept('ada', 'a'), invite('bob', null), accept('bob', 'b')]) {
			assert.ok(people.run(command, nowMs).ok);
		}
		for (const [serial, choice] of choices.entries()) {
			nowMs += choice.waitMs;
			const before = people.record(choice.person);
			const { command, uses } = commandOf(choice, before, [...good], serial);
			const { ok } = people.run(command, nowMs);
			if (ok) done.add('factor' in command ? command.factor.kind : command.kind);
			for (const used of ok ? uses : []) {
				assert.equal(good.has(used), false, `${used} was good twice`);
				good.add(used);
			}
			const after = people.record(choice.person);
			if (ok && choice.person === 'bob' && command.kind !== 'reset_person' && hasSecondFactor(before)) {
				assert.ok(hasSecondFactor(after), command.kind);
			}
			assertBounded(after);
		}
		const ids = people.acts.map(({ id }) => id);
		assert.equal(new Set(ids).size, ids.length);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 200 });
	const kinds = [
		'accept_invitation',
		'password',
		'passkey',
		'set_codes',
		'remove_codes',
		'add_passkey',
		'remove_passkey',
	];
	for (const kind of kinds) assert.ok(done.has(kind), `no ${kind} succeeded`);
});

test('a change for others asks for the operator, the act and the session, beside the person it is about', () => {
	const people = peopleInMemory();
	for (const command of [invite('ada', 'acme'), accept('ada', 'a'), invite('bob', null), accept('bob', 'b')]) {
		assert.ok(people.run(command, NOON_MS).ok);
	}
	const cara = { ...invite('cara', 'acme'), ...by('bob', 'b', 'first') };
	assert.ok(people.run(cara, NOON_MS).ok);
	assert.deepEqual(people.run({ ...cara, linkHash: 'x' }, NOON_MS), { ok: false, error: 'act_repeated' });
	assert.equal(people.record('cara').invitation?.hash, 'link of cara');
	assert.partialDeepStrictEqual(people.acts.at(-1), { person: 'bob' });
	const reset = { kind: 'reset_person', email: emailOf('cara'), linkHash: 'x', ...by('ada', 'a', 'second') } as const;
	assert.deepEqual(people.run(reset, NOON_MS), { ok: false, error: 'not_allowed' });
	const mixed = { ...by('bob', 'b', 'third').by, act: by('ada', 'a', 'third').by.act };
	assert.throws(() => people.run({ ...cara, by: mixed }, NOON_MS), /another person/);

	const verify = beginVerification('v1', by('bob', 'b', 'verify'));
	assert.ok(people.run(verify, NOON_MS).ok);
	assert.deepEqual([...people.running.values()], [{ startedBy: emailOf('bob'), notedAtMs: NOON_MS }]);
	assert.deepEqual(people.run(beginVerification('v2'), NOON_MS), { ok: false, error: 'verification_runs' });
	assert.deepEqual(people.run(beginVerification('v2'), NOON_MS + 59_999), { ok: false, error: 'verification_runs' });
	assert.ok(people.run(beginVerification('v2'), NOON_MS + 60_000).ok);
	assert.deepEqual([...people.running.keys()], ['v2']);

	people.run({ kind: 'lock_person', email: emailOf('bob') }, NOON_MS);
	assert.deepEqual(people.run({ ...cara, ...by('bob', 'b', 'fourth') }, NOON_MS), { ok: false, error: 'signed_out' });
	assert.ok(people.run(setLowBalance('ada', 'a', 5), NOON_MS).ok);
	assert.deepEqual([...people.lowBalances], [['acme', 5]]);
});

function assertBounded({ person, sessions, passkeys, recoveryCodes }: PersonRecord): void {
	assert.ok(sessions.length <= MAX_SESSIONS);
	assert.ok(passkeys.length <= MAX_PASSKEYS);
	assert.ok(recoveryCodes.length <= RECOVERY_CODES);
	if (person.lockedAtMs !== null || person.passwordHash === null) assert.deepEqual(sessions, []);
}

/** A command, and what it uses up if it succeeds. `good` is what was used up before. */
function commandOf(
	{ kind, person, pick, isRepeat }: Choice,
	record: PersonRecord,
	good: readonly string[],
	serial: number,
): { readonly command: PersonCommand; readonly uses: readonly string[] } {
	const pickOf = <Item>(items: readonly Item[]) => items[pick % Math.max(items.length, 1)];
	const repeated = (prefix: string) => pickOf(good.filter((each) => each.startsWith(prefix)));
	const name = (prefix: string) => (isRepeat ? repeated(prefix) : undefined) ?? `${prefix}${serial}`;
	const email = emailOf(person);
	const session = pickOf(record.sessions)?.hash ?? 'none';
	const key = pickOf(record.passkeys)?.id ?? 'none';
	const challenge = name('challenge ');
	const own = (command: Extract<PersonCommand, { readonly act: unknown }>, ...uses: readonly string[]) => {
		const id = name('act ');
		return { command: { ...command, act: { ...command.act, id } }, uses: [id, ...uses] };
	};
	if (kind < 1) return { command: { kind: 'lock_person', email }, uses: [] };
	if (kind < 4) return { command: { kind: 'unlock_person', email }, uses: [] };
	if (kind < 6) return { command: { kind: 'reset_person', email, linkHash: `link ${serial}` }, uses: [] };
	if (kind < 16) {
		const link = (isRepeat ? repeated('link ') : record.invitation?.hash) ?? 'none';
		return { command: { ...accept(person, `s${serial}`, link), actId: `acceptance ${serial}` }, uses: [link] };
	}
	if (kind < 50) {
		const sign = (factor: ReturnType<typeof byPassword>, ...uses: readonly string[]) => {
			const replaces = kind % 3 === 0 ? session : undefined;
			return { command: { ...signIn(person, `s${serial}`, factor), replaces }, uses };
		};
		if (kind < 24) return sign(byPasskey(key, challenge, pick % 3), challenge);
		if (kind < 32) {
			const code = (isRepeat ? repeated('recovery ') : pickOf(record.recoveryCodes)) ?? 'none';
			return sign(byPassword(person, code), ...(hasSecondFactor(record) ? [code] : []));
		}
		if (kind < 40) return sign(byPassword(person));
		const step = (record.codes?.lastStep ?? 100) + (pick % 4) - 1;
		return sign(byPassword(person, step), ...(record.codes ? [`${record.codes.secret}/${step}`] : []));
	}
	if (kind < 60) {
		const recoveryCodes = Array.from({ length: RECOVERY_CODES }, (_, index) => `recovery ${serial}/${index}`);
		const codes = { secret: `SECRET${serial}`, lastStep: 100 };
		const command = { ...setCodes(person, session), codes, challengeHash: challenge, recoveryCodes };
		return own(command, challenge, `${codes.secret}/100`);
	}
	if (kind < 72) {
		const recoveryCodes = [`recovery ${serial}`];
		const command = { ...addPasskey(person, session, `key ${serial}`), challengeHash: challenge, recoveryCodes };
		return own(command, challenge);
	}
	if (kind < 80) return own(removePasskey(person, session, key));
	if (kind < 86) return own(removeCodes(person, session));
	if (kind < 90) return own(endSessions(person, session, 'others'));
	if (kind < 94) return own(endSessions(person, session, newSession(session).id));
	return own(setPassword(person, session, passwordHashOf(person)));
}

test('recovery codes from before the first second factor are replaced when it is added', () => {
	const people = peopleInMemory();
	for (const command of [invite('ada', 'acme'), accept('ada', 'a')]) assert.ok(people.run(command, NOON_MS).ok);
	const facts: PersonFacts = {
		record: { ...people.record('ada'), recoveryCodes: ['planted'] },
		isResellerKnown: true,
		claim: undefined,
		hasOperator: false,
		hasOtherOperator: false,
		teamSize: 1,
		operatorTokens: [],
		brand: OWN_BRAND,
		isActRecorded: false,
		tries: [],
		isChallengeUsed: false,
		isPasskeyTaken: false,
		lowBalanceCents: null,
		mailChoice: undefined,
		sendsMail: false,
		dueMails: [],
		isAlarmRaised: false,
		correction: undefined,
		usage: undefined,
		liveSessions: 1,
		caller: undefined,
		verificationsNotedAtMs: [],
		edge: undefined,
		edges: 0,
		isEdgeKeyTaken: false,
		webhooksOn: 0,
		webhooksCopied: 0,
	};
	for (const command of [setCodes('ada', 'a'), addPasskey('ada', 'a', 'key')]) {
		const { outcome, effects } = decidePerson(facts, command, NOON_MS);
		assert.deepEqual(outcome, { ok: true, madeRecoveryCodes: true });
		const made = { kind: 'replace_recovery_codes', person: 'ada', hashes: RECOVERY_HASHES } as const;
		assert.deepEqual(
			effects.filter(({ kind }) => kind === made.kind),
			[made],
		);
	}
});
