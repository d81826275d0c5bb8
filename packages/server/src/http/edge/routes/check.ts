import {
	AddressCheckRequest,
	type CheckAnswer,
	type CheckRefusal,
	CheckRequest,
	ChecksRequest,
	edgeRoutes,
	RECHECK_MS,
} from '@bursar/contract/edge';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import type { EdgeTotals } from '../../../bank/edge-uses.ts';
import { answerWith } from '../../server/answers.ts';
import { type AddressChecks, type AddressOutcome, namesAddress } from '../address-checks.ts';
import { sendEdgeFailure, sendJson } from '../answers.ts';
import { createCheckTurns } from '../check-turns.ts';
import { edgeBodyOf } from '../json-body.ts';
import type { PairRefused } from '../judge-pair.ts';
import type { CheckOutcome, PairChecks } from '../pair-checks.ts';

const checkRequest = Compile(CheckRequest);
const addressCheckRequest = Compile(AddressCheckRequest);
const checksRequest = Compile(ChecksRequest);

/**
 * How many checks of a request with several are begun in one turn: about half a millisecond of work.
 * @bound Checks of a request that begin in one turn of the event loop: the rest begins in the next turns.
 */
const CHECKS_IN_A_TURN = 50;
/** To read a body of this length needs no turn of its own. */
const SMALL_BYTES = 8 * 1024;

interface CheckDependencies {
	readonly pairChecks: Pick<PairChecks, 'check'>;
	readonly addressChecks: AddressChecks;
	readonly isSignInUsed: () => boolean;
}

type Asked = CheckRequest | AddressCheckRequest;

/** Checks one pair, or many. A check that is answered from memory makes no promise. */
export function checkRoute(app: FastifyInstance, { pairChecks, addressChecks, isSignInUsed }: CheckDependencies): void {
	const turn = createCheckTurns();

	app.post(edgeRoutes.check.path, (request, reply) => {
		if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES) answer(request, reply);
		else answerWith(reply, turn(request.edge.name), () => answer(request, reply));
	});

	function answer(request: FastifyRequest, reply: FastifyReply): void {
		const body = edgeBodyOf(request);
		if ('refused' in body) return void sendEdgeFailure(reply, body.refused);
		const { value } = body;
		const { edge } = request;
		if (isCheck(value)) {
			const outcome = check(edge.name, value);
			if (!(outcome instanceof Promise)) return void sendJson(reply, noted(edge, outcome));
			return void answerWith(reply, outcome, (late) => sendJson(reply, noted(edge, late)));
		}
		if (!isChecks(value)) return void sendEdgeFailure(reply, 'invalid_request');
		answerWith(reply, checkAll(edge.name, value.checks), (all) => {
			const answers = all.map((outcome) => noted(edge, outcome)).join();
			sendJson(reply, `{"checks":[${answers}],"signs_in_by_address":${isSignInUsed()}}`);
		});
	}

	function check(edge: string, asked: Asked): Outcome | Promise<Outcome> {
		if ('by_address' in asked) return addressChecks.check(edge, asked);
		return namesAddress(asked) ? addressChecks.recheck(edge, asked) : pairChecks.check(edge, asked);
	}

	async function checkAll(edge: string, checks: readonly Asked[]): Promise<readonly Outcome[]> {
		const outcomes: (Outcome | Promise<Outcome>)[] = [];
		for (let from = 0; from < checks.length; from += CHECKS_IN_A_TURN) {
			await turn(edge);
			for (const asked of checks.slice(from, from + CHECKS_IN_A_TURN)) outcomes.push(check(edge, asked));
		}
		return Promise.all(outcomes);
	}
}

type Outcome = CheckOutcome | AddressOutcome;

function isCheck(value: unknown): value is Asked {
	return (checkRequest.Check(value) || addressCheckRequest.Check(value)) && asksOneThing(value);
}

function isChecks(value: unknown): value is ChecksRequest {
	return checksRequest.Check(value) && value.checks.every(asksOneThing);
}

/** With an address beside a pair, it would not be clear which of them lets the client in. */
function asksOneThing(asked: Asked): boolean {
	const { username, password, key_id } = asked as Partial<CheckRequest>;
	if ('by_address' in asked) return username === undefined && password === undefined && key_id === undefined;
	return password !== undefined || key_id !== undefined;
}

/** Counts the outcome, and writes it as `CheckAnswer`. */
function noted(edge: EdgeTotals, outcome: Outcome): string {
	const { checks } = edge;
	if (typeof outcome === 'string') {
		checks[outcome === 'connection_limit_reached' ? 'limit_reached' : outcome]++;
		return REFUSALS[outcome];
	}
	if ('refused' in outcome) {
		const { refused, username } = outcome;
		// Many clients come without a pair before they come with one.
		if (username === null) return REFUSALS[refused];
		return noted(edge, refused).replace('"username":null', `"username":"${username}"`);
	}
	checks.ok++;
	const { username, keyId, reseller, leftBytes, leftReason, maxConnections, maxBytesPerSecond, endsInMs, allowedIps } =
		outcome;
	// Neither stored usernames nor base64url need escapes.
	const pair = `{"ok":true,"username":"${username}","key_id":"${keyId}","reseller":"${reseller}","reason":null,"recheck_ms":${RECHECK_MS}`;
	const left = `"left_bytes":${leftBytes},"left_reason":${JSON.stringify(leftReason)}`;
	const held = `"max_connections":${maxConnections},"max_bytes_per_second":${maxBytesPerSecond}`;
	const others = `"ends_in_ms":${endsInMs},"allowed_ips":${JSON.stringify(allowedIps)}`;
	return `${pair},${left},${held},${others}}`;
}

const REFUSALS: Readonly<Record<PairRefused, string>> = {
	wrong_pair: refusal('wrong_pair'),
	throttled: refusal('throttled'),
	unavailable: refusal('unavailable'),
	suspended: refusal('suspended'),
	expired: refusal('expired'),
	address_not_allowed: refusal('address_not_allowed'),
	exhausted: refusal('exhausted'),
	limit_reached: refusal('limit_reached', 'bytes'),
	connection_limit_reached: refusal('limit_reached', 'connections'),
};

function refusal(reason: CheckRefusal, limit?: CheckAnswer['limit']): string {
	const answer: CheckAnswer = {
		ok: false,
		username: null,
		key_id: null,
		reseller: null,
		reason,
		...(limit && { limit }),
		recheck_ms: RECHECK_MS,
		left_bytes: null,
		left_reason: null,
		max_connections: null,
		max_bytes_per_second: null,
		ends_in_ms: null,
		allowed_ips: null,
	};
	return JSON.stringify(answer);
}
