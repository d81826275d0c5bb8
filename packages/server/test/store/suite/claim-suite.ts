import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIM_LIFE_MS } from '../../../src/domain/people/person.ts';
import { createReseller, NOON_MS } from '../../support/commands.ts';
import { accept, claim, emailOf, invite, makeClaim, passwordHashOf, sessionOf } from '../../support/person-commands.ts';
import { type Engine, endings, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests how the first operator claims the service. */
export function claimSuite(engine: Engine): void {
	test('of claims with one link at once over several stores, exactly one makes an operator', async (t) => {
		const { store, openAnother, rows } = await engine.open(t);
		const stores = [store, await openAnother(), await openAnother()];
		await runAllPeople(store, [makeClaim('first', 'link')]);
		const outcomes = await Promise.all(
			Array.from({ length: 24 }, (_, n) => runPeople(stores[n % 3] ?? store, [claim(`p${n}`, `s${n}`, 'link')])),
		);
		const all = endings(outcomes.flat());
		assert.deepEqual(new Set(all), new Set(['ok', 'invalid_link']));
		assert.equal(all.filter((ending) => ending === 'ok').length, 1);
		const winner = all.indexOf('ok');
		const email = emailOf(`p${winner}`);
		assert.deepEqual(await rows('SELECT id, email FROM people'), [{ id: 'first', email }]);
		assert.deepEqual(await rows('SELECT hash FROM sessions'), [{ hash: `s${winner}` }]);
		assert.deepEqual(await rows('SELECT kind FROM acts'), [{ kind: 'claim' }]);
		assert.deepEqual(await rows('SELECT hash FROM invitations'), []);
	});

	test('of a claim and an invitation of an operator at once, the claim is refused if it comes second', async (t) => {
		const { store, openAnother, rows } = await engine.open(t);
		const another = await openAnother();
		await runAllPeople(store, [makeClaim('first', 'link')]);
		const [claimed, invited] = await Promise.all([
			runPeople(store, [claim('ada', 'a', 'link')]),
			runPeople(another, [invite('bob', null), accept('bob', 'b')]),
		]);
		assert.deepEqual(endings(invited), ['ok', 'ok'], 'an operator may be invited at any time');
		const [ending] = endings(claimed);
		const emails = await rows('SELECT email FROM people ORDER BY email');
		const both = [{ email: emailOf('ada') }, { email: emailOf('bob') }];
		assert.deepEqual(emails, ending === 'ok' ? both : both.slice(1));
		assert.match(ending ?? '', /^(ok|invalid_link)$/);
		assert.deepEqual(endings(await runPeople(another, [makeClaim('eve'), claim('eve', 'e', 'link')])), [
			'operator_exists',
			'invalid_link',
		]);
		assert.equal(await another.findInvitation('link'), undefined);
	});

	test('of links that are made at once, one is good; it is found, used once, and then the person is found', async (t) => {
		const { store, openAnother, rows } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ann', 'acme')]);
		await Promise.all(
			Array.from({ length: 8 }, (_, n) => runAllPeople(n % 2 ? store : another, [makeClaim(`p${n}`, `link ${n}`)])),
		);
		const found = await Promise.all(Array.from({ length: 8 }, (_, n) => another.findInvitation(`link ${n}`)));
		const good = found.findIndex((each) => each !== undefined);
		assert.equal(found.filter((each) => each !== undefined).length, 1);
		const { invitation, person } = found[good] ?? assert.fail('no link is good');
		assert.equal(person, undefined);
		const id = invitation.person;
		const expected = { hash: `link ${good}`, person: id, purpose: 'claim', expiresAtMs: NOON_MS + CLAIM_LIFE_MS };
		assert.deepEqual(invitation, expected);
		assert.deepEqual((await store.verifyLedger()).problems, [], 'a claim is no fault of the store');

		const taken = { ...claim('ada', 'a', `link ${good}`), email: emailOf('ann') };
		assert.deepEqual(endings(await runPeople(store, [taken])), ['email_taken']);
		const [claimed] = await runPeople(store, [claim('ada', 'a', `link ${good}`)], NOON_MS + 1);
		const session = { ...sessionOf('ada', 'a', NOON_MS + 1), person: id };
		assert.deepEqual(claimed, { ok: true, session });
		const signedIn = await another.findSession('a');
		assert.deepEqual(signedIn?.session, session);
		assert.deepEqual(signedIn?.record.person, {
			id,
			email: emailOf('ada'),
			reseller: null,
			role: null,
			passwordHash: passwordHashOf('ada'),
			createdAtMs: NOON_MS + 1,
			lockedAtMs: null,
		});
		assert.equal(await another.findInvitation(`link ${good}`), undefined);
		assert.deepEqual(await rows('SELECT hash FROM invitations'), [{ hash: 'link of ann' }]);
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});

	test('a link of nobody that claims nothing is told by the verification', async (t) => {
		const { store, insert } = await engine.open(t);
		const row = { person: 'nobody', hash: 'x', expires_at_ms: 1 };
		await insert({ invitations: [{ ...row, purpose: 'set_password' }] });
		assert.deepEqual((await store.verifyLedger()).problems, [
			{ name: 'nobody', problem: 'no person has this id, but a link names it' },
		]);
	});
}
