import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TEAM } from '@bursar/contract/dashboard';
import type { PersonCommand } from '../../../src/commands/registry.ts';
import { CLAIM_LIFE_MS } from '../../../src/domain/people/person.ts';
import { createReseller, NOON_MS, revokeToken } from '../../support/commands.ts';
import {
	accept,
	actOf,
	addPasskey,
	beginVerification,
	by,
	byPasskey,
	byPassword,
	claim,
	countTry,
	emailOf,
	invite,
	makeClaim,
	passwordHashOf,
	sessionOf,
	setCodes,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';
import { type Engine, endings, run, runAll, runAllPeople, runPeople } from './engine.ts';

const AT_ONCE = 9;

interface Race {
	/** What is done before, by `bob`, an operator with the session `of bob`, and the reseller `acme` with `ada` (`s1`). */
	readonly first?: readonly PersonCommand[];
	/** The command of each of those that run at once. */
	readonly each: (n: number) => PersonCommand;
	/** How those end that are too late. */
	readonly late: string;
	/** How many have an effect. One, if it is not given. */
	readonly most?: number;
}

const RACES: Readonly<Record<string, Race>> = {
	'an invitation is accepted': {
		first: [invite('cyd', 'acme')],
		each: (n) => ({ ...accept('cyd', `c${n}`), actId: `acceptance ${n}` }),
		late: 'invalid_link',
	},
	...Object.fromEntries(
		[101, 'recovery 1'].map((code) => [
			`the code ${code} is used`,
			{
				first: [setCodes('ada', 's1', 100)],
				each: (n: number) => signIn('ada', `${n}`, byPassword('ada', code)),
				late: 'wrong_code',
			},
		]),
	),
	'a challenge is answered': {
		first: [addPasskey('ada', 's1', 'key')],
		each: (n) => signIn('ada', `${n}`, byPasskey('key', 'c1')),
		late: 'challenge_used',
	},
	'a verification begins': {
		each: (n) => beginVerification(`v${n}`, n % 3 === 0 ? by('bob', 'of bob', `verify ${n}`) : {}),
		late: 'verification_runs',
	},
	'tries are counted': { each: (n) => countTry('ada', `net ${n}`), late: 'too_many_tries', most: 3 },
	'a team is filled': {
		first: Array.from({ length: MAX_TEAM - 3 }, (_, n) => invite(`p${n}`, 'acme')),
		each: (n) => invite(`more${n}`, 'acme'),
		late: 'team_full',
		most: 2,
	},
};

/** Tests what people do at once in several stores, as in several processes. */
export function peopleRacesSuite(engine: Engine): void {
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		return { ...opened, stores: [opened.store, await opened.openAnother(), await opened.openAnother()] };
	}

	for (const [what, { first = [], each, late, most = 1 }] of Object.entries(RACES)) {
		test(`if ${what} at once in several stores, it has an effect as often as it may`, async (t) => {
			const { store, stores } = await open(t);
			await runAll(store, [createReseller('acme')]);
			await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null)]);
			await runAllPeople(store, [accept('bob', 'of bob'), ...first]);
			const outcomes = await Promise.all(
				Array.from({ length: AT_ONCE }, (_, n) => runPeople(stores[n % 3] ?? store, [each(n)])),
			);
			const expected = [...Array(most).fill('ok'), ...Array(AT_ONCE - most).fill(late)];
			assert.deepEqual(endings(outcomes.flat()).toSorted(), expected.toSorted());
		});
	}

	test('of claims with one link at once over several stores, exactly one makes an operator', async (t) => {
		const { store, stores, rows } = await open(t);
		await runAllPeople(store, [makeClaim('first', 'link')]);
		const outcomes = await Promise.all(
			Array.from({ length: 24 }, (_, n) => runPeople(stores[n % 3] ?? store, [claim(`p${n}`, `s${n}`, 'link')])),
		);
		const all = endings(outcomes.flat());
		assert.deepEqual(all.toSorted(), [...Array(23).fill('invalid_link'), 'ok']);
		const winner = all.indexOf('ok');
		assert.deepEqual(await rows('SELECT id, email FROM people'), [{ id: 'first', email: emailOf(`p${winner}`) }]);
		assert.deepEqual(await rows('SELECT hash FROM sessions'), [{ hash: `s${winner}` }]);
		assert.deepEqual(await rows('SELECT kind FROM acts'), [{ kind: 'claim' }]);
		assert.deepEqual(await rows('SELECT hash FROM invitations'), []);
	});

	test('of a claim and an invitation of an operator at once, the claim is refused if it comes second', async (t) => {
		const { store, stores, rows } = await open(t);
		const [, another = store] = stores;
		await runAllPeople(store, [makeClaim('first', 'link')]);
		const [claimed, invited] = await Promise.all([
			runPeople(store, [claim('ada', 'a', 'link')]),
			runPeople(another, [invite('bob', null), accept('bob', 'b')]),
		]);
		assert.deepEqual(endings(invited), ['ok', 'ok'], 'an operator may be invited at any time');
		const [ending = ''] = endings(claimed);
		const both = ['ada', 'bob'].map((person) => ({ email: emailOf(person) }));
		assert.deepEqual(await rows('SELECT email FROM people ORDER BY email'), ending === 'ok' ? both : both.slice(1));
		assert.match(ending, /^(ok|invalid_link)$/);
		const later = await runPeople(another, [makeClaim('eve'), claim('eve', 'e', 'link')]);
		assert.deepEqual(endings(later), ['operator_exists', 'invalid_link']);
		assert.equal(await another.findInvitation('link'), undefined);
	});

	test('of links for a claim that are made at once, one is good; it is found, used once, and makes an operator', async (t) => {
		const { store, stores, rows } = await open(t);
		const [, another = store] = stores;
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ann', 'acme')]);
		const numbers = Array.from({ length: 8 }, (_, n) => n);
		await Promise.all(numbers.map((n) => runAllPeople(stores[n % 3] ?? store, [makeClaim(`p${n}`, `link ${n}`)])));
		const links = await Promise.all(numbers.map((n) => another.findInvitation(`link ${n}`)));
		const [found, ...others] = links.filter((each) => each !== undefined);
		assert.ok(found && found.person === undefined && others.length === 0);
		const { hash, person: id } = found.invitation;
		const expiresAtMs = NOON_MS + CLAIM_LIFE_MS;
		assert.deepEqual(found.invitation, { hash, person: id, purpose: 'claim', expiresAtMs });
		assert.deepEqual((await store.verifyLedger()).problems, [], 'a claim is no fault of the store');

		const taken = { ...claim('ada', 'a', hash), email: emailOf('ann') };
		assert.deepEqual(endings(await runPeople(store, [taken])), ['email_taken']);
		const session = { ...sessionOf('ada', 'a', NOON_MS + 1), person: id };
		const claimed = await runPeople(store, [claim('ada', 'a', hash)], NOON_MS + 1);
		assert.deepEqual(claimed, [{ ok: true, session }]);
		const signedIn = await another.findSession('a');
		assert.deepEqual(signedIn?.session, session);
		const operator = { id, email: emailOf('ada'), reseller: null, role: null, passwordHash: passwordHashOf('ada') };
		assert.deepEqual(signedIn?.record.person, { ...operator, createdAtMs: NOON_MS + 1, lockedAtMs: null });
		assert.equal(await another.findInvitation(hash), undefined);
		assert.deepEqual(await rows('SELECT hash FROM invitations'), [{ hash: 'link of ann' }]);
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});

	test('of the same act in several stores at once, also about money and people, one has an effect', async (t) => {
		const { store, stores } = await open(t);
		const [, another = store] = stores;
		const resellers = ['acme', 'other', 'third'];
		await runAll(
			store,
			resellers.map((reseller) => createReseller(reseller)),
		);
		// An operator: only operators end the tokens of any reseller.
		await runAllPeople(store, [invite('ada', null), accept('ada', 's1')]);
		for (let round = 0; round < 5; round++) {
			const act = actOf('ada', 's1', `act ${round}`, 'end_all_tokens');
			const outcomes = await Promise.all([
				...resellers.map((reseller, n) =>
					run(n % 2 ? store : another, [{ ...revokeToken(reseller, `${reseller} ${round}`), act }]),
				),
				runPeople(store, [{ ...setPassword('ada', 's1', `password ${round}`), act }]),
				runPeople(another, [{ ...setPassword('ada', 's1', `other ${round}`), act }]),
			]);
			assert.deepEqual(endings(outcomes.flat()).toSorted(), [...Array(4).fill('act_repeated'), 'ok']);
		}
	});
}
