// Fastify with the same schemas as Bursar and answers of the same size, but without any work behind them.
import { endpoints, envelopeSchema } from '@bursar/contract';
import { CheckRequest, edgeRoutes } from '@bursar/contract/edge';
import Fastify from 'fastify';

const account = {
	username: 'bench.0000001',
	balance: 1_000_000,
	proxy_authkey: 'abcdefghijklmnop',
	date_created: '2026-11-21T00:00:00.000Z',
};
const balance = { username: account.username, balance: account.balance };
const check = {
	ok: true,
	username: account.username,
	key_id: 'Hk3vQ0m8yTn5cXf2LwZb1A',
	reason: null,
	recheck_ms: 2_000,
};
/** Fastify writes it faster than the contract's schema, in which the values may be null. */
const checkAnswer = {
	type: 'object',
	properties: {
		ok: { type: 'boolean' },
		username: { type: 'string' },
		key_id: { type: 'string' },
		reason: { type: 'null' },
		recheck_ms: { type: 'integer' },
	},
};

const app = Fastify({ logger: false });
const { myInfo, viewSubUser, giveBalance } = endpoints;
app.get(myInfo.path, { schema: { response: { 200: envelopeSchema(myInfo.data) } } }, async () => envelope(account));
app.post(
	viewSubUser.path,
	{ schema: { body: viewSubUser.request, response: { 200: envelopeSchema(viewSubUser.data) } } },
	async () => envelope(account),
);
app.post(
	giveBalance.path,
	{ schema: { body: giveBalance.request, response: { 200: envelopeSchema(giveBalance.data) } } },
	async () => envelope(balance),
);
app.post(edgeRoutes.check.path, { schema: { body: CheckRequest, response: { 200: checkAnswer } } }, async () => check);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);

function envelope<Data>(data: Data) {
	return { status: 200, message: '', timestamp: Math.floor(Date.now() / 1000), data };
}
