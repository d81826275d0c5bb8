import { allEndpoints } from '@bursar/contract';
import { newWebhookSecret } from '@bursar/terminal/webhooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newWebhookId } from '../../../credentials.ts';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendFailure } from '../../server/envelope.ts';
import { askingProgram } from '../asking-program.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { readEndsOfLog } from '../event-page.ts';
import { sendRefusal, sendRefusedPlace } from '../refusals.ts';
import { readBody } from '../sub-user-request.ts';
import { readCreateWebhook, readUpdateWebhook, readWebhookChange, readWebhookRequest } from '../webhook-requests.ts';
import { listedWebhookView, tryView, webhookView } from '../webhook-views.ts';

/** Webhooks: where events are sent. */
export function webhookRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'bank' | 'addressOf' | 'nowMs' | 'lenient' | 'webhooksLoopback'>,
): void {
	const { store, bank, addressOf, nowMs, webhooksLoopback } = dependencies;

	/** What a command says of the request that gives it. */
	const asking = (request: FastifyRequest) => ({
		reseller: request.reseller,
		requestId: request.id,
		expiresAtMs: request.expiresAtMs,
		program: askingProgram(request, addressOf),
	});
	const changing = (request: FastifyRequest) => ({ ...asking(request), changeId: request.changeId });

	app.post(allEndpoints.createWebhook.path, (request, reply) => {
		const wanted = readCreateWebhook(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const secret = newWebhookSecret();
		const command = {
			kind: 'create_webhook',
			...changing(request),
			...wanted,
			...{ id: newWebhookId(), secret, allowsLoopback: webhooksLoopback },
		} as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendData(reply, { ...webhookView(outcome.webhook), secret }, nowMs());
		});
	});

	app.post(allEndpoints.viewAllWebhooks.path, (request, reply) => {
		const body = readBody(request, dependencies);
		if ('refused' in body) return void sendFailure(reply, body.refused, nowMs(), body.message);
		answerWith(reply, store.listWebhooks(request.reseller), (webhooks) =>
			sendData(reply, webhooks.map(listedWebhookView), nowMs()),
		);
	});

	app.post(allEndpoints.updateWebhook.path, (request, reply) => {
		const wanted = readUpdateWebhook(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const command = {
			kind: 'update_webhook',
			...changing(request),
			...wanted,
			allowsLoopback: webhooksLoopback,
		} as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (outcome.ok) return sendData(reply, webhookView(outcome.webhook), nowMs());
			const { error } = outcome;
			if (error !== 'events_expired' && error !== 'events_rewound') {
				return sendRefusal(request, reply, outcome, dependencies);
			}
			return answerWith(reply, readEndsOfLog(store, request.reseller), (log) =>
				sendRefusedPlace(reply, { ...log, refused: error }, nowMs()),
			);
		});
	});

	app.post(allEndpoints.deleteWebhook.path, (request, reply) => {
		const wanted = readWebhookChange(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const command = { kind: 'delete_webhook', ...changing(request), ...wanted } as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendData(reply, wanted, nowMs());
		});
	});

	app.post(allEndpoints.rotateWebhookSecret.path, (request, reply) => {
		const wanted = readWebhookChange(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const secret = newWebhookSecret();
		const command = { kind: 'rotate_webhook_secret', ...changing(request), ...wanted, secret } as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			const previous_expires_at = new Date(outcome.previousUntilMs).toISOString();
			return sendData(reply, { ...wanted, secret, previous_expires_at }, nowMs());
		});
	});

	app.post(allEndpoints.testWebhook.path, (request, reply) => {
		const wanted = readWebhookRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const command = { kind: 'test_webhook', ...asking(request), ...wanted } as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendData(reply, wanted, nowMs());
		});
	});

	app.post(allEndpoints.viewWebhookTries.path, (request, reply) => {
		const wanted = readWebhookRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, store.listWebhookTries(request.reseller, wanted.id), (tries) => {
			if (!tries) return sendFailure(reply, 'unknown_webhook', nowMs());
			return sendData(reply, tries.map(tryView), nowMs());
		});
	});
}
