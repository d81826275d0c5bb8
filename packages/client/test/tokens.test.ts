import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	Bursar,
	type BursarError,
	InvalidRequestError,
	type NewToken,
	NotPermittedError,
	newChangeId,
	OutcomeUnknownError,
	TooManyTokensError,
	UnauthorizedError,
	UnknownTokenError,
} from '../src/index.ts';
import { serveReseller } from './support/client.ts';

const expiresAt = new Date(Date.now() + 30 * 86_400_000);
const SHOP: NewToken = { name: 'shop', scopes: ['read', 'money'], expiresAt };

function withCode(type: new (...args: never) => BursarError, code: string) {
	return (error: unknown) => error instanceof type && (error as BursarError).code === code;
}

describe('further tokens', { concurrency: 3 }, () => {
	test('a token is made, does what it may, is listed, and is ended', async (t) => {
		const { service, reliable } = await serveReseller(t);
		assert.deepEqual(await reliable.tokens.list(), []);
		const { token, details, confirmedBy } = await reliable.tokens.create({
			...SHOP,
			allowedIps: ['127.0.0.0/8', '::1'],
		});
		assert.equal(confirmedBy, 'answer');
		assert.ok(token !== undefined);
		const { id, dateCreated } = details;
		assert.deepEqual(details, {
			...{ id, ...SHOP, allowedIps: ['127.0.0.0/8', '::1'], tail: token.slice(-4), madeBy: 'api' },
			...{ lastUsed: undefined, dateCreated },
		});
		assert.deepEqual(await reliable.tokens.list(), [details]);

		const shop = new Bursar({ baseUrl: service.url, token });
		assert.equal((await shop.account.retrieveDetails()).balanceCents, 10_000);
		await assert.rejects(shop.subUsers.create('alice'), (error: BursarError) => {
			assert.match(error.message, /this token lacks the scope sub_users/);
			return withCode(NotPermittedError, 'missing_scope')(error);
		});
		await assert.rejects(shop.tokens.list(), withCode(NotPermittedError, 'missing_scope'));

		assert.deepEqual((await reliable.tokens.end(id)).id, id);
		await assert.rejects(shop.account.retrieveDetails(), UnauthorizedError);
		assert.deepEqual(await reliable.tokens.list(), []);
	});

	test('each refusal has its class', async (t) => {
		const { service, reliable } = await serveReseller(t);
		const { tokens } = reliable;
		const elsewhere = await tokens.create({ ...SHOP, name: 'elsewhere', allowedIps: ['192.0.2.0/24'] });
		const other = new Bursar({ baseUrl: service.url, token: elsewhere.token as string });
		await assert.rejects(other.account.retrieveDetails(), withCode(NotPermittedError, 'address_not_allowed'));
		await assert.rejects(tokens.create({ ...SHOP, name: 'elsewhere' }), withCode(InvalidRequestError, 'token_exists'));
		for (const wrong of [
			{ name: '' },
			{ scopes: [] },
			{ expiresAt: new Date(0) },
			{ expiresAt: new Date(Number.NaN) },
		]) {
			await assert.rejects(tokens.create({ ...SHOP, ...wrong }), withCode(InvalidRequestError, 'invalid_token'));
		}
		for (const id of ['', 'tok_1', `tok_${'x'.repeat(22)}`]) await assert.rejects(tokens.end(id), UnknownTokenError);
		for (let count = 1; count < 20; count++) await tokens.create({ ...SHOP, name: `shop-${count}` });
		await assert.rejects(tokens.create(SHOP), TooManyTokensError);
	});

	test('an argument of a wrong kind is refused before anything is sent', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		for (const wrong of [null, 'shop', { ...SHOP, allowedIPs: ['127.0.0.1'] }]) {
			await assert.rejects(client.tokens.create(wrong as never), TypeError);
		}
		await assert.rejects(client.tokens.end(undefined as never), TypeError);
		assert.deepEqual(way.asked, []);
	});

	test('a create whose answer was lost has made one token, which nobody has', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client, way } = unreliable({ create: ['answer_lost'], end: ['answer_lost'] });
		const { token, details, confirmedBy } = await client.tokens.create(SHOP);
		assert.deepEqual([token, details.name, confirmedBy], [undefined, 'shop', 'look']);
		assert.deepEqual(way.asked, ['create', 'view', 'view_all']);
		assert.deepEqual(await reliable.tokens.list(), [details]);
		assert.equal((await client.tokens.end(details.id)).confirmedBy, 'look');
		assert.notEqual((await client.tokens.create(SHOP)).token, undefined);
	});

	test('the same create with the same id makes no second token', async (t) => {
		const { reliable } = await serveReseller(t);
		const changeId = newChangeId();
		const { details } = await reliable.tokens.create(SHOP, { changeId });
		const again = await reliable.tokens.create(SHOP, { changeId });
		assert.deepEqual([again.token, again.details], [undefined, details]);
		await reliable.tokens.end(details.id);
		await reliable.tokens.create(SHOP);
		await assert.rejects(reliable.tokens.create(SHOP, { changeId }), OutcomeUnknownError);
	});

	test('an end with the id of the end of another token is not told as done', async (t) => {
		const { reliable } = await serveReseller(t);
		const changeId = newChangeId();
		const one = await reliable.tokens.create(SHOP);
		const other = await reliable.tokens.create({ ...SHOP, name: 'other' });
		for (const _ of [1, 2]) assert.equal((await reliable.tokens.end(one.details.id, { changeId })).id, one.details.id);
		await assert.rejects(reliable.tokens.end(other.details.id, { changeId }), OutcomeUnknownError);
		assert.deepEqual(await reliable.tokens.list(), [other.details]);
	});
});
