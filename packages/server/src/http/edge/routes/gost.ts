import { edgeRoutes, GostAuthRequest, GostObserveRequest, MAX_GOST_BODY_BYTES } from '@bursar/contract/edge';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import type { Bank } from '../../../bank/bank.ts';
import { noteOpen } from '../../../bank/open-on-edges.ts';
import { limitBodies, type SharedLimit } from '../../server/bodies/body.ts';
import { sendEdgeFailure, sendJson } from '../answers.ts';
import { countReadings } from '../counted-readings.ts';
import { gostOpen, gostReadings } from '../gost-events.ts';
import { edgeBodyOf } from '../json-body.ts';
import type { CheckOutcome, PairChecks } from '../pair-checks.ts';
import { createTurns } from '../turns.ts';

const gostAuthRequest = Compile(GostAuthRequest);
const gostObserveRequest = Compile(GostObserveRequest);

/** How many observations of one GOST wait. It sends the next one when the previous one was answered, or took too long. */
const MAX_OBSERVATIONS = 8;

interface GostDependencies {
	readonly pairChecks: Pick<PairChecks, 'check' | 'mayLimitConnections'>;
	readonly bank: Pick<Bank, 'recordUsage' | 'note'>;
	readonly edgeBytesPerMs: number;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
	readonly sharedLimit: SharedLimit;
}

/** What GOST v3 asks an auther and an observer, so that it needs no program of ours beside it. */
export async function gostRoutes(
	app: FastifyInstance,
	{ pairChecks, bank, edgeBytesPerMs, nowMs, sharedLimit }: GostDependencies,
): Promise<void> {
	limitBodies(app, MAX_GOST_BODY_BYTES, sharedLimit);
	const turns = createTurns(MAX_OBSERVATIONS);

	app.post(edgeRoutes.gostAuth.path, async (request, reply) => {
		const body = edgeBodyOf(request);
		if ('refused' in body) return sendEdgeFailure(reply, body.refused);
		if (!gostAuthRequest.Check(body.value)) return sendEdgeFailure(reply, 'invalid_request');
		const { username, password, client = '' } = body.value;
		const { edge } = request;
		// GOST asks about requests without credentials too, such as the first one of a browser. They are no guesses.
		if (username === '' && password === '') return sendJson(reply, '{"ok":false,"id":""}');
		const asked = { username, password, ...(client !== '' && { client: withoutPort(client) }) };
		const outcome = withRoom(fromSomewhere(await pairChecks.check(edge.name, asked), client));
		edge.checks[typeof outcome === 'string' ? outcome : 'ok']++;
		const id = typeof outcome === 'string' ? '' : outcome.username;
		return sendJson(reply, JSON.stringify({ ok: id !== '', id }));
	});

	app.post(edgeRoutes.gostObserve.path, async (request, reply) => {
		const body = edgeBodyOf(request);
		if ('refused' in body) return sendEdgeFailure(reply, body.refused);
		if (!gostObserveRequest.Check(body.value)) return sendEdgeFailure(reply, 'invalid_request');
		const { edge } = request;
		const { events } = body.value;
		const readings = gostReadings({ edge: edge.name, edgeBytesPerMs }, events, nowMs());
		// In order: an old value that came after a newer one would look like a restart of GOST.
		const counted = await turns.run(edge.name, async () => {
			const noted = noteOpen(
				bank,
				{ edge: edge.name, process: '' },
				gostOpen(events).filter(({ username }) => pairChecks.mayLimitConnections(username)),
			);
			const answer = await countReadings(bank, edge, readings);
			await noted;
			return answer;
		});
		// GOST sends again after any answer but this one.
		if (!counted || 'failed' in counted) return sendEdgeFailure(reply, counted?.failed ?? 'unavailable');
		return sendJson(reply, '{"ok":true}');
	});
}

/** GOST holds no addresses, so a pair that is not good from anywhere needs one. */
function fromSomewhere(outcome: CheckOutcome, client: string): CheckOutcome {
	const isUnknown = typeof outcome !== 'string' && outcome.allowedIps !== null && client === '';
	return isUnknown ? 'address_not_allowed' : outcome;
}

/** GOST cuts nothing, so a pair that has all connections of this edge already is refused. */
function withRoom(outcome: CheckOutcome): CheckOutcome {
	if (typeof outcome === 'string' || outcome.maxConnections === null) return outcome;
	return outcome.openHere < outcome.maxConnections ? outcome : 'limit_reached';
}

/** `192.0.2.1` of `192.0.2.1:50000`, and `2001:db8::1` of `[2001:db8::1]:50000`. */
function withoutPort(address: string): string {
	return address.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
}
