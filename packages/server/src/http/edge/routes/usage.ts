import { edgeRoutes, type RefusedCounter, type UsageAnswer, UsageRequest } from '@bursar/contract/edge';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import type { Bank } from '../../../bank/bank.ts';
import type { EdgeTotals } from '../../../bank/edge-uses.ts';
import { keepOpen } from '../../../bank/open-on-edges.ts';
import { keepRefused } from '../../../bank/refused-on-edges.ts';
import { parseCounterReadings } from '../../../domain/counter-reading.ts';
import type { UsageVerdict } from '../../../domain/usage.ts';
import { sendEdgeFailure, sendJson } from '../answers.ts';
import { createEdgeProcesses } from '../edge-processes.ts';
import { edgeBodyOf } from '../json-body.ts';
import { createRefusedClientsReader } from '../refused-clients.ts';

const usageRequest = Compile(UsageRequest);

interface UsageDependencies {
	readonly bank: Pick<Bank, 'recordUsage' | 'keep'>;
	readonly edgeBytesPerMs: number;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

/** Takes the present values of counters, what is open and what was refused, and answers after the commit. */
export function usageRoute(app: FastifyInstance, { bank, edgeBytesPerMs, nowMs }: UsageDependencies): void {
	const processes = createEdgeProcesses();
	const refusedClients = createRefusedClientsReader(nowMs);

	app.post(edgeRoutes.usage.path, async (request, reply) => {
		const body = edgeBodyOf(request);
		if ('refused' in body) return sendEdgeFailure(reply, body.refused);
		if (!usageRequest.Check(body.value)) return sendEdgeFailure(reply, 'invalid_request');
		const { edge } = request;
		const readings = parseCounterReadings({ edge: edge.name, edgeBytesPerMs }, body.value.counters);
		const { process = '', open = [], refusals = [] } = body.value;
		const mayBeKept = open.length > 0 && processes.take(edge.name, process);
		const kept = mayBeKept && keepOpen(bank, { edge: edge.name, process }, open);
		const refused = refusedClients.read(edge.name, refusals);
		const keptRefused = refused.length === 0 || keepRefused(bank, refused);
		const recorded = readings.length === 0 ? NOTHING : await bank.recordUsage(`edge:${edge.name}`, readings);
		await kept;
		// Only then can the edge know that nothing of it counted, and tell it again.
		const isNothingDone = !(await keptRefused) && readings.length === 0 && open.length === 0;
		if (isNothingDone) return sendEdgeFailure(reply, 'unavailable');
		if (!recorded.ok) {
			return sendEdgeFailure(reply, recorded.error === 'outcome_unknown' ? 'outcome_unknown' : 'unavailable');
		}
		return sendJson(reply, JSON.stringify(countVerdicts(recorded.verdicts, edge.readings)));
	});
}

const NOTHING = { ok: true, verdicts: [] } as const;

function countVerdicts(verdicts: readonly UsageVerdict[], figures: EdgeTotals['readings']): UsageAnswer {
	const counts = { counted: 0, repeated: 0 };
	const refused: RefusedCounter[] = [];
	for (const [index, verdict] of verdicts.entries()) {
		if (typeof verdict === 'string') counts[verdict]++;
		// The protocol calls the index in the request `place`.
		else refused.push({ place: index, reason: verdict.refused });
		figures[typeof verdict === 'string' ? verdict : 'refused']++;
	}
	return { ...counts, refused };
}
