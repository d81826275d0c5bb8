import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAIR_STATES, type PairState } from '@bursar/contract/dashboard';
import { correctionTexts } from '../../src/features/corrections/texts.ts';
import { resellerSubUserTexts as texts } from '../../src/features/reseller-sub-users/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import { ALICE, ANN, button, cleanup, OLGA, open, press, screen, serviceFor, type } from '../support/dashboard.ts';

const { reseller_balance: _own, price: _price, note: _note, ...SHOWN } = ALICE;
const AT = '2026-05-03T09:30:00.000Z';

test('an operator sees a sub-user, and changes nothing about it but the bandwidth of a day', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/sub-user', {
		...{ ...SHOWN, deleted: null, balance: 1234, state: 'suspended' },
		limits: { ...SHOWN.limits, day_bytes: 2_000_000_000 },
	});
	service.answers('/operator/bandwidth', bandwidthOf([]));
	service.answers('/operator/statement', { today: null, movements: [], next_before: null, searched_to: null });
	service.answers('/operator/usage/day', { up: 0, down: 9 });
	open(t, '/resellers/acme/sub-users/alice');
	await screen.findByText('$12.34');
	await screen.findByText(termsTexts.states.suspended);
	await screen.findByText(termsTexts.usedOf('0 B', '2 GB'));
	await screen.findByText(texts.noTransactions);
	assert.deepEqual(service.calls('/operator/statement')[0], { username: 'alice', reseller: 'acme' });
	await press(correctionTexts.action);
	await type(correctionTexts.day, '2026-01-21');
	await screen.findByText(correctionTexts.exact('9 B', 9));
	assert.deepEqual(service.calls('/operator/usage/day'), [{ reseller: 'acme', username: 'alice', day: '2026-01-21' }]);
	assert.ok(!screen.queryByRole('textbox', { name: correctionTexts.username }), 'the account is known');
	const names = screen.getAllByRole('button').map(({ textContent }) => textContent);
	for (const name of [termsTexts.suspend, termsTexts.resume, termsTexts.setLimits, termsTexts.delete]) {
		assert.ok(!names.includes(name), name);
	}
});

for (const state of PAIR_STATES) {
	test(`the page of a sub-user says one thing about it, to operators and to its reseller: ${state}`, async (t) => {
		const toOperators = serviceFor(t, OLGA);
		toOperators.answers('/operator/sub-user', { ...SHOWN, deleted: null, state });
		open(t, '/resellers/acme/sub-users/alice');
		await screen.findByText(`${texts.states[state]} ${texts.accountLead}`);
		assertOneStatement(state);
		cleanup();
		const toReseller = serviceFor(t, ANN);
		toReseller.answers('/sub-user', { ...ALICE, state, price: 3_500_000 });
		open(t, '/sub-users/alice');
		await screen.findByText(termsTexts.leads[state]);
		assertOneStatement(state);
	});
}

/** No other state is named, and the page does not say both that the pair is accepted and that it is refused. */
function assertOneStatement(state: PairState): void {
	const marks = screen.getAllByText((text) => Object.values<string>(termsTexts.states).includes(text));
	assert.deepEqual(
		marks.map(({ textContent }) => textContent),
		[termsTexts.states[state]],
	);
	const said = document.querySelector('main')?.textContent ?? '';
	assert.equal(/proxies accept it/.test(said), state === 'active', said);
	assert.equal(/proxies refuse it/.test(said), state !== 'active', said);
}

test('what is left of a deleted sub-user stays readable, and its bandwidth can be corrected', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/sub-user', { username: 'alice', created: AT, deleted: AT });
	service.answers('/operator/bandwidth', bandwidthOf([]));
	service.answers('/operator/statement', { today: null, movements: [], next_before: null, searched_to: null });
	open(t, '/resellers/acme/sub-users/alice');
	await screen.findByText(termsTexts.wasDeleted);
	await button(correctionTexts.action);
});
