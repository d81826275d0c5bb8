import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListedFurtherToken, ListedOperatorToken, PresentPerson } from '@bursar/contract/dashboard';
import { actTexts } from '../../src/acts/texts.ts';
import { apiTokensTexts } from '../../src/features/api-tokens/texts.ts';
import { namedTokenTexts } from '../../src/features/named-tokens/texts.ts';
import { tokenTexts } from '../../src/features/token/texts.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { secretTexts } from '../../src/secrets/texts.ts';
import {
	ANN,
	button,
	dialog,
	fireEvent,
	gone,
	OLGA,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
	waitFor,
	within,
} from '../support/dashboard.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const SECRET = `brs_${'b'.repeat(46)}`;
const SHOP: ListedFurtherToken = {
	...{ id: 'tok_1', name: 'shop', scopes: ['read', 'money'], allowed_ips: ['192.0.2.0/24'], tail: 'wxyz' },
	...{ made: inDays(-1), made_by: ANN.email, expires: inDays(30), last_used: null },
};
const OLD: ListedFurtherToken = {
	...{ ...SHOP, id: 'tok_2', name: 'old', allowed_ips: null, made_by: 'api', tail: 'olds' },
	...{ expires: inDays(-1), last_used: inDays(-2) },
};
const BILLING: ListedOperatorToken = {
	...{ name: 'billing', scopes: ['resellers:read', 'money:write'], tail: 'wxyz' },
	...{ made: inDays(-1), made_by: 'root (ann)', expires: inDays(30), last_used: null },
};

/** The page of a reseller with these further tokens. */
function atReseller(t: TestContext, tokens: readonly ListedFurtherToken[], person: PresentPerson = ANN) {
	const service = serviceFor(t, person);
	const current = { tail: 'last', made: inDays(-9), made_by: 'operator', last_used: null };
	service.answers('/token', { reseller: 'acme', api_url: 'http://localhost:8080', current, previous: null });
	service.answers('/tokens', { tokens });
	service.answers('/tokens/create', { token: SECRET });
	service.answers('/tokens/end', {});
	open(t, '/token');
	return service;
}

/** The operator's page with these tokens. */
function atOperator(t: TestContext, tokens: readonly ListedOperatorToken[], api_url: string | null = null) {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/tokens', { tokens, api_url });
	service.answers('/operator/tokens/create', { token: SECRET.replace('brs', 'bro') });
	service.answers('/operator/tokens/end', {});
	open(t, '/api-tokens');
	return service;
}

const withoutAct = ({ act: _, ...body }: Readonly<Record<string, unknown>>) => body;
const createButton = () => button(namedTokenTexts.create);

/** A text whose lines may break within. */
function said(text: string) {
	return screen.findByText((_, element) => element?.tagName === 'P' && element.textContent === text);
}

async function choose(scope: string): Promise<void> {
	fireEvent.click(await screen.findByRole('checkbox', { name: new RegExp(scope) }));
}

test('an owner makes a token with scopes, an end and addresses, which is shown once', async (t) => {
	const service = atReseller(t, []);
	await screen.findByText(tokenTexts.furtherNone);
	fireEvent.click(await createButton());
	const opened = within(await dialog(namedTokenTexts.create));
	const create = await button(namedTokenTexts.createNow);
	await type(namedTokenTexts.name, ' shop');
	await waitFor(() => assert.ok(create.hasAttribute('disabled'), 'no scope was chosen'));
	await choose('read');
	await choose('money');
	await type(namedTokenTexts.addresses, '192.0.2.7\nhere');
	await waitFor(() => assert.ok(create.hasAttribute('disabled'), 'an address is none'));
	await type(namedTokenTexts.addresses, '192.0.2.7\n\n2001:db8::/32');
	fireEvent.click(await opened.findByLabelText(namedTokenTexts.lives[30]));
	service.answers('/tokens', { tokens: [SHOP] });
	fireEvent.click(create);
	await dialog(namedTokenTexts.newTitle('shop'));
	await screen.findByText(SECRET);
	await press(secretTexts.stored);
	await gone(SECRET);
	await screen.findByText(namedTokenTexts.endsIn('wxyz'));
	const [{ expires_at, ...body } = assert.fail()] = service.calls('/tokens/create').map(withoutAct);
	assert.deepEqual(body, { name: 'shop', scopes: ['read', 'money'], allowed_ips: ['192.0.2.7', '2001:db8::/32'] });
	assert.ok(Math.abs(Date.parse(String(expires_at)) - Date.now() - 30 * DAY_MS) < 60_000);
});

test('a wrong name and an end that is over or too far are named, and not sent', async (t) => {
	const service = atReseller(t, []);
	fireEvent.click(await createButton());
	const opened = within(await dialog(namedTokenTexts.create));
	await choose('money');
	await type(namedTokenTexts.name, 'café');
	await screen.findByText(namedTokenTexts.nameWrong);
	await type(namedTokenTexts.name, 'cafe');
	await gone(namedTokenTexts.nameWrong);
	fireEvent.click(await opened.findByLabelText(namedTokenTexts.lives.day));
	const create = await button(namedTokenTexts.createNow);
	for (const [day, problem] of [
		['2020-01-01', namedTokenTexts.endProblems.past],
		['2999-01-01', namedTokenTexts.endProblems.far],
	] as const) {
		await type(namedTokenTexts.day, day);
		await screen.findByText(problem);
		assert.ok(create.hasAttribute('disabled'));
	}
	await type(namedTokenTexts.day, inDays(10).slice(0, 10));
	await waitFor(() => assert.ok(!create.hasAttribute('disabled')));
	fireEvent.click(create);
	await screen.findByText(SECRET);
	const [{ expires_at, ...body } = assert.fail()] = service.calls('/tokens/create').map(withoutAct);
	assert.deepEqual(body, { name: 'cafe', scopes: ['money'], allowed_ips: null });
	const days = (Date.parse(String(expires_at)) - Date.now()) / DAY_MS;
	assert.ok(days > 9 && days < 12, 'with the end of that day');
});

test('a token whose answer was lost was made: the page says to end it, and to make another one', async (t) => {
	const service = atReseller(t, []);
	fireEvent.click(await createButton());
	await choose('read');
	await type(namedTokenTexts.name, 'shop');
	service.loses('/tokens/create');
	await pressInDialog(namedTokenTexts.create, namedTokenTexts.createNow);
	await screen.findByText(actTexts.lostAct);
	service.refuses('/tokens/create', 'act_repeated');
	await press(pageTexts.retry);
	await screen.findByText(namedTokenTexts.createLost);
	const [first, second] = service.calls('/tokens/create');
	assert.deepEqual(first, second);
});

test('the list says what each token may do, who made it and whether it is over, and an owner ends one', async (t) => {
	const service = atReseller(t, [OLD, SHOP]);
	await said(namedTokenTexts.onlyFrom('192.0.2.0/24'));
	await screen.findByText(namedTokenTexts.by(namedTokenTexts.program));
	await screen.findByText(namedTokenTexts.by(namedTokenTexts.you));
	assert.equal(screen.getAllByText(namedTokenTexts.expired).length, 1);
	await press(namedTokenTexts.endOne('shop'));
	service.answers('/tokens', { tokens: [OLD] });
	await pressInDialog(namedTokenTexts.endTitle('shop'), namedTokenTexts.endNow);
	await waitFor(() => assert.ok(!screen.queryByRole('button', { name: namedTokenTexts.endOne('shop') })));
	assert.deepEqual(service.calls('/tokens/end').map(withoutAct), [{ id: 'tok_1' }]);
});

test('others than owners see the tokens, and are told that they change none', async (t) => {
	atReseller(t, [SHOP], { ...ANN, role: 'manager' });
	await said(namedTokenTexts.onlyFrom('192.0.2.0/24'));
	await screen.findByText(tokenTexts.furtherOnlyOwners);
	assert.equal((await createButton()).getAttribute('aria-disabled'), 'true');
	assert.ok(!screen.queryByRole('button', { name: namedTokenTexts.endOne('shop') }));
});

test('with 20 good tokens, no further one is offered; expired ones do not count', async (t) => {
	const many = Array.from({ length: 20 }, (_, n) => ({ ...SHOP, id: `tok_${n}`, name: `token ${n}` }));
	const service = atReseller(t, [OLD, ...many]);
	await screen.findByText(tokenTexts.furtherFull);
	service.answers('/tokens', { tokens: [OLD, ...many.slice(1)] });
	await press(namedTokenTexts.endOne('token 0'));
	await pressInDialog(namedTokenTexts.endTitle('token 0'), namedTokenTexts.endNow);
	await gone(tokenTexts.furtherFull);
});

test('an operator makes a token for a program, is warned of scopes that get all that resellers have, and ends one', async (t) => {
	const service = atOperator(t, [BILLING]);
	await screen.findByText(namedTokenTexts.by('root (ann)'));
	fireEvent.click(await createButton());
	const opened = within(await dialog(namedTokenTexts.create));
	assert.ok(!opened.queryByLabelText(namedTokenTexts.addresses));
	await type(namedTokenTexts.name, 'portal');
	for (const scope of ['tokens:write', 'people:write'] as const) {
		await choose(apiTokensTexts.scopes[scope]);
		await screen.findByText(apiTokensTexts.warnings[scope]);
		await choose(apiTokensTexts.scopes[scope]);
		await gone(apiTokensTexts.warnings[scope]);
	}
	await choose(apiTokensTexts.scopes['usage:read']);
	await pressInDialog(namedTokenTexts.create, namedTokenTexts.createNow);
	await screen.findByText(/^bro_b+$/);
	await press(secretTexts.stored);
	const [{ expires_at: _, ...body } = assert.fail()] = service.calls('/operator/tokens/create').map(withoutAct);
	assert.deepEqual(body, { name: 'portal', scopes: ['usage:read'] });

	await press(namedTokenTexts.endOne('billing'));
	service.answers('/operator/tokens', { tokens: [], api_url: null });
	await pressInDialog(namedTokenTexts.endTitle('billing'), namedTokenTexts.endNow);
	await screen.findByText(apiTokensTexts.none);
	assert.deepEqual(service.calls('/operator/tokens/end').map(withoutAct), [{ name: 'billing' }]);
});

test('the page of the operator says where the API is, or how to switch it on', async (t) => {
	const service = atOperator(t, []);
	await screen.findByText(apiTokensTexts.switchOn);
	service.answers('/operator/tokens', { tokens: [], api_url: 'http://127.0.0.1:8090' });
	fireEvent.click(await createButton());
	await type(namedTokenTexts.name, 'portal');
	await choose(apiTokensTexts.scopes['usage:read']);
	await pressInDialog(namedTokenTexts.create, namedTokenTexts.createNow);
	await press(secretTexts.stored);
	await screen.findByText('http://127.0.0.1:8090');
	await gone(apiTokensTexts.switchOn);
});
