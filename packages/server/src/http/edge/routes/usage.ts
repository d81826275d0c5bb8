import { edgeRoutes, type UsageAnswer, UsageRequest } from '@bursar/contract/edge';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import type { Bank } from '../../../bank/bank.ts';
import { noteOpen } from '../../../bank/open-on-edges.ts';
import { parseCounterReadings } from '../../../domain/counter-reading.ts';
import { sendEdgeFailure, sendJson } from '../answers.ts';
import { countReadings } from '../counted-readings.ts';
import { edgeBodyOf } from '../json-body.ts';

const usageRequest = Compile(UsageRequest);

interface UsageDependencies {
	readonly bank: Pick<Bank, 'recordUsage' | 'note'>;
	readonly edgeBytesPerMs: number;
}

/** Takes the present values of counters, and what is open, and answers after the commit. */
export function usageRoute(app: FastifyInstance, { bank, edgeBytesPerMs }: UsageDependencies): void {
	app.post(edgeRoutes.usage.path, async (request, reply) => {
		const body = edgeBodyOf(request);
		if ('refused' in body) return sendEdgeFailure(reply, body.refused);
		if (!usageRequest.Check(body.value)) return sendEdgeFailure(reply, 'invalid_request');
		const { edge } = request;
		const readings = parseCounterReadings({ edge: edge.name, edgeBytesPerMs }, body.value.counters);
		const { process = '', open = [] } = body.value;
		const noted = noteOpen(bank, { edge: edge.name, process }, open);
		const answer = await countReadings(bank, edge, readings);
		await noted;
		if ('failed' in answer) return sendEdgeFailure(reply, answer.failed);
		return sendJson(reply, JSON.stringify(answer satisfies UsageAnswer));
	});
}
