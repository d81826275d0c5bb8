import { setTimeout as pause } from 'node:timers/promises';
import { edgeRoutes, type JoinAnswer, JoinRequest } from '@bursar/contract/edge';
import { isWellFormedEdgeKey } from '@bursar/contract/secret-text';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import type { Bank } from '../../../bank/bank.ts';
import { hashSecret, newId } from '../../../credentials.ts';
import { bearerChallenge, bearerToken } from '../../server/bearer-token.ts';
import type { ClientAddresses } from '../../server/client-address.ts';
import { sendEdgeFailure, sendJson } from '../answers.ts';
import type { EdgeDirectory } from '../edge-directory.ts';
import { createFailedChecks } from '../failed-checks.ts';
import { edgeBodyOf } from '../json-body.ts';

const joinRequest = Compile(JoinRequest);

/**
 * Strangers who send many links cause at most one read of the edges in this time.
 * @bound Requests to join wait for each other: then they share one read of the edges.
 */
const GATHER_MS = 100;

interface JoinDependencies {
	readonly bank: Pick<Bank, 'changePerson'>;
	readonly directory: Pick<EdgeDirectory, 'edgeOfLink' | 'read'>;
	readonly addressOf: ClientAddresses;
}

/**
 * Gives the edge of a link its key, which is the bearer token of the request. No login is needed. So an unknown link never
 * reaches the bank, and each refused link counts for its address. Wrong, used and old links have one answer.
 */
export function joinRoute(app: FastifyInstance, { bank, directory, addressOf }: JoinDependencies): void {
	const failures = createFailedChecks();
	let gathered: Promise<boolean> | undefined;

	/** The operator may have made the link after the last read of the edges. */
	function readSoon(): Promise<boolean> {
		gathered ??= pause(GATHER_MS).then(() => {
			gathered = undefined;
			return directory.read();
		});
		return gathered;
	}

	app.post(edgeRoutes.join.path, async (request, reply) => {
		const address = addressOf(request.raw).text;
		if (failures.isBlocked('join', address, '')) return sendEdgeFailure(reply, 'too_many_tries');
		const key = bearerToken(request.headers.authorization);
		if (key === undefined || !isWellFormedEdgeKey(key)) {
			return sendEdgeFailure(reply.header('www-authenticate', bearerChallenge(key)), 'unauthorized');
		}
		const body = edgeBodyOf(request);
		if ('refused' in body) return sendEdgeFailure(reply, body.refused);
		if (!joinRequest.Check(body.value)) return sendEdgeFailure(reply, 'invalid_request');

		const linkHash = hashSecret(body.value.link);
		if (directory.edgeOfLink(linkHash) === undefined && !(await readSoon())) {
			return sendEdgeFailure(reply, 'unavailable');
		}
		const name = directory.edgeOfLink(linkHash);
		const refusal = name === undefined ? 'invalid_link' : await join(name, { linkHash, key, requestId: request.id });
		if (refusal === 'invalid_link') {
			return sendEdgeFailure(reply, failures.count('join', address, '') ? refusal : 'too_many_tries');
		}
		if (refusal !== undefined) return sendEdgeFailure(reply, refusal);
		// The host may begin to ask at once.
		await directory.read();
		return sendJson(reply, JSON.stringify({ edge: name as string } satisfies JoinAnswer));
	});

	/** `undefined` once the key is durable. */
	async function join(name: string, { linkHash, key, requestId }: Joining) {
		const outcome = await bank.changePerson({
			kind: 'join_edge',
			name,
			linkHash,
			keyHash: hashSecret(key),
			keyTail: key.slice(-4),
			unattended: { id: newId(), kind: 'join_edge', target: name, requestId, systemUser: `edge ${name}` },
		});
		if (outcome.ok) return undefined;
		return outcome.error === 'invalid_link' || outcome.error === 'outcome_unknown' ? outcome.error : 'unavailable';
	}
}

interface Joining {
	readonly linkHash: string;
	readonly key: string;
	readonly requestId: string;
}
