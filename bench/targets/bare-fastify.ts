// Fastify with the same schemas and answers of the same size, but without any work behind them.
import { endpoints, envelopeSchema } from '@bursar/contract';
import { CheckRequest, edgeRoutes } from '@bursar/contract/edge';
import Fastify from 'fastify';
import { account, balance, check, envelope } from './answers.ts';

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
app.post(edgeRoutes.check.path, { schema: { body: CheckRequest, response: { 200: checkAnswer } } }, async () => check);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);
