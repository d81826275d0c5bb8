import type { Endpoint } from '@bursar/contract';
import { endpoints } from '@bursar/contract';
import type { Exchange, Forward, Reply } from '@bursar/testing/http-relay';
import { isCallOf, type Json, jsonOf, withData, withEnvelope, withJson } from './differences.ts';
import type { TestedService } from './tested-service.ts';
import type { Difference } from './wrong-server.ts';

/** A bug in a server, and exactly the rules that must find it. */
export interface Bug {
	readonly failing: readonly string[];
	/** Rules that run too and pass, because they make what the bug is about. */
	readonly alongside?: readonly string[];
	/** Rules that the bug may also break, depending on how requests race. */
	readonly perhaps?: readonly string[];
	/** How the server differs, if it is neither of the next two. */
	readonly difference?: Difference | ((service: ServiceWithBugs) => Difference);
	/** Answers a call instead of the server. */
	call?(call: Call): Promise<Reply>;
	/** Gives another answer than the server. */
	after?(call: AnsweredCall): Reply | Promise<Reply>;
}

interface Call extends ServiceWithBugs {
	readonly request: Exchange;
	readonly forward: Forward;
}

interface AnsweredCall extends Call {
	readonly reply: Reply;
}

/** By what is wrong, in words. */
export type Bugs = Readonly<Record<string, Bug>>;

/** A service with two resellers, to put a bug in front of. */
export interface ServiceWithBugs extends Pick<TestedService, 'url'> {
	readonly acme: Pick<TestedService['acme'], 'username' | 'token'>;
	readonly bolt: Pick<TestedService['bolt'], 'username' | 'token'>;
}

/** The server with that bug, in front of the service. */
export function differenceOf({ difference, call, after }: Bug, service: ServiceWithBugs): Difference {
	if (difference) return typeof difference === 'function' ? difference(service) : difference;
	return {
		async call(request, forward) {
			if (call) return call({ ...service, request, forward });
			const reply = await forward(request);
			return after?.({ ...service, request, reply, forward }) ?? reply;
		},
	};
}

/** Changes every answer. */
export function onReply(change: (reply: Reply) => Reply): Difference {
	return { call: async (request, forward) => change(await forward(request)) };
}

export function onAnswer(endpoint: Endpoint, change: (data: Json) => unknown): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			return isCallOf(request, endpoint) ? withData(reply, change) : reply;
		},
	};
}

export function onEnvelope(change: (envelope: Json) => unknown): Difference {
	return { call: async (request, forward) => withEnvelope(await forward(request), change) };
}

export function onAmount(change: (amount: unknown) => unknown): Difference {
	return {
		call(request, forward) {
			const body = jsonOf(request);
			const changed = change(body?.amount_usd_cents);
			const isChanged = body !== undefined && changed !== body.amount_usd_cents;
			return forward(isChanged ? withJson(request, { ...body, amount_usd_cents: changed }) : request);
		},
	};
}

export function onName(endpoint: Endpoint, change: (name: string) => string): Difference {
	return {
		call(request, forward) {
			const body = isCallOf(request, endpoint) ? jsonOf(request) : undefined;
			const isChanged = typeof body?.username === 'string' && change(body.username) !== body.username;
			return forward(isChanged ? withJson(request, { ...body, username: change(body.username) }) : request);
		},
	};
}

export interface UsageRecord {
	readonly bandwidth: { readonly up: number; readonly down: number };
	readonly timestamp: string;
}

export function onUsage(change: (records: UsageRecord[]) => unknown): Difference {
	return onAnswer(endpoints.viewUsage, (records) => (records.length > 1 ? change(records) : records));
}

export function onDay(record: UsageRecord | undefined, days: number) {
	const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
	return { ...record, timestamp: new Date(today + days * 86_400_000).toISOString() };
}

export function onAuthorization(change: (header: string) => string): Difference {
	return {
		call(request, forward) {
			const { authorization } = request.headers;
			if (authorization === undefined) return forward(request);
			return forward({ ...request, headers: { ...request.headers, authorization: change(authorization) } });
		},
	};
}

/** The field counts as absent, whatever it is. */
export function ignoring(endpoint: Endpoint, field: string): Difference {
	return {
		call: (request, forward) => forward(isCallOf(request, endpoint) ? without(field, request) : request),
	};
}

/** The field counts as absent if it is refused. */
export function ignoringWrong(endpoint: Endpoint, field: string): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			return isCallOf(request, endpoint) && reply.status === 400 ? forward(without(field, request)) : reply;
		},
	};
}

function without(field: string, request: Exchange): Exchange {
	const { [field]: _ignored, ...others } = jsonOf(request) ?? {};
	return withJson(request, others);
}
