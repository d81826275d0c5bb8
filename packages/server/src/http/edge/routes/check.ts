import {
	type CheckAnswer,
	type CheckRefusal,
	CheckRequest,
	ChecksRequest,
	edgeRoutes,
	RECHECK_MS,
} from '@bursar/contract/edge';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import type { EdgeTotals } from '../../../bank/edge-uses.ts';
import { answerWith } from '../../server/answers.ts';
import { sendEdgeFailure, sendJson } from '../answers.ts';
import { edgeBodyOf } from '../json-body.ts';
import type { CheckOutcome, PairChecks } from '../pair-checks.ts';

const checkRequest = Compile(CheckRequest);
const checksRequest = Compile(ChecksRequest);

/** Checks one pair, or many. A check that is answered from memory makes no promise. */
export function checkRoute(app: FastifyInstance, { pairChecks }: { readonly pairChecks: PairChecks }): void {
	app.post(edgeRoutes.check.path, (request, reply) => {
		const body = edgeBodyOf(request);
		if ('refused' in body) return void sendEdgeFailure(reply, body.refused);
		const { value } = body;
		const { edge } = request;
		if (isCheck(value)) {
			const outcome = pairChecks.check(edge.name, value);
			if (!(outcome instanceof Promise)) return void sendJson(reply, noted(edge, outcome));
			return answerWith(reply, outcome, (late) => sendJson(reply, noted(edge, late)));
		}
		if (!isChecks(value)) return void sendEdgeFailure(reply, 'invalid_request');
		const outcomes = Promise.all(value.checks.map((asked) => pairChecks.check(edge.name, asked)));
		answerWith(reply, outcomes, (all) => {
			sendJson(reply, `{"checks":[${all.map((outcome) => noted(edge, outcome)).join()}]}`);
		});
	});
}

function isCheck(value: unknown): value is CheckRequest {
	return checkRequest.Check(value) && hasKey(value);
}

function isChecks(value: unknown): value is ChecksRequest {
	return checksRequest.Check(value) && value.checks.every(hasKey);
}

function hasKey({ password, key_id }: CheckRequest): boolean {
	return password !== undefined || key_id !== undefined;
}

/** Counts the outcome, and writes it as `CheckAnswer`. */
function noted({ checks }: EdgeTotals, outcome: CheckOutcome): string {
	if (typeof outcome === 'string') {
		checks[outcome]++;
		return REFUSALS[outcome];
	}
	checks.ok++;
	// Neither a stored username nor base64url needs escapes.
	return `{"ok":true,"username":"${outcome.username}","key_id":"${outcome.keyId}",${AFTER_KEY_ID}`;
}

const AFTER_KEY_ID = `"reason":null,"recheck_ms":${RECHECK_MS}}`;

const REFUSALS = {
	wrong_pair: refusal('wrong_pair'),
	throttled: refusal('throttled'),
	unavailable: refusal('unavailable'),
};

function refusal(reason: CheckRefusal): string {
	const answer: CheckAnswer = { ok: false, username: null, key_id: null, reason, recheck_ms: RECHECK_MS };
	return JSON.stringify(answer);
}
