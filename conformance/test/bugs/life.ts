import { allEndpoints, endpoints, LIMIT_NAMES } from '@bursar/contract';
import type { Exchange, Reply } from '@bursar/testing/http-relay';
import { type Bug, type Bugs, onAnswer } from '../support/bug.ts';
import {
	asFailure,
	ask,
	asSuccess,
	dataOf,
	isCallOf,
	isDuplicated,
	type Json,
	jsonOf,
	withData,
	withJson,
	withToken,
} from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { giveBalance, viewUsage } = endpoints;
const { deleteSubUser, resumeSubUser, setLimits, setNote, setSignInIps, suspendSubUser, viewChange, viewDetails } =
	allEndpoints;
const { viewStatementPage, viewSubUserPage } = allEndpoints;
const CHANGES = [suspendSubUser, resumeSubUser, setLimits, setNote, setSignInIps, deleteSubUser];
const OF_LIFE = [...CHANGES, viewDetails, viewStatementPage, viewSubUserPage];
const isOf = (request: Exchange, among = OF_LIFE) => among.some((endpoint) => isCallOf(request, endpoint));

/** Bugs in the life of a sub-user. */
export const lifeBugs: Bugs = {
	'a suspension is not kept': {
		failing: ['life.suspend', 'pages.states'],
		async after({ request, reply, forward }) {
			const isDone = isCallOf(request, suspendSubUser) && reply.status === 200;
			if (isDone) await forward(ask(request, resumeSubUser, { username: jsonOf(request).username }));
			return reply;
		},
	},
	'a repeated suspension is refused': {
		failing: ['life.suspend'],
		async call({ request, forward }) {
			const state = isCallOf(request, suspendSubUser)
				? (await dataOf(ask(request, viewDetails, jsonOf(request)), forward))?.state
				: undefined;
			const reply = await forward(request);
			return state === 'suspended' && reply.status === 200 ? asFailure(reply, 400, 'invalid_request') : reply;
		},
	},
	'a resume also ends an expiry': {
		failing: ['life.expires'],
		difference: onAnswer(resumeSubUser, (data) => ({ ...data, state: 'active' })),
	},
	'a suspended sub-user gets no balance': {
		failing: ['life.refused-pair'],
		async call({ request, forward }) {
			if (!isCallOf(request, giveBalance)) return forward(request);
			const details = await dataOf(ask(request, viewDetails, jsonOf(request)), forward);
			return details?.state === 'suspended'
				? asFailure(await forward({ ...request, path: '/nothing' }), 403, 'suspended')
				: forward(request);
		},
	},
	'a limit that is absent is removed': {
		failing: ['life.limits'],
		difference: onLimits((sent) => {
			const { username, ...limits } = sent;
			const isWhole = Object.keys(limits).length !== 1 || limits.connections === undefined;
			return isWhole ? sent : { ...NO_LIMITS, ...sent };
		}),
	},
	'null does not remove a limit': {
		failing: ['life.limits'],
		alongside: ['life.suspend'],
		difference: onLimits((sent) =>
			sent.day_bytes === null && Object.keys(sent).length === 2 ? { ...sent, day_bytes: 7 } : sent,
		),
	},
	'a limit that is 2^53-1 is answered as a text': {
		failing: ['life.limits'],
		difference: onAnswer(setLimits, (data) => {
			const { month_bytes } = data.limits;
			return { ...data, limits: { ...data.limits, month_bytes: month_bytes && String(month_bytes) } };
		}),
	},
	'networks are kept as they are written': {
		failing: ['life.addresses'],
		after({ request, reply }) {
			const written = isCallOf(request, setLimits) ? jsonOf(request)?.allowed_ips : undefined;
			if (!written) return reply;
			return withData(reply, ({ limits, ...data }) => ({ ...data, limits: { ...limits, allowed_ips: written } }));
		},
	},
	'only 16 addresses are taken': {
		failing: ['life.addresses'],
		after({ request, reply }) {
			const addresses = isCallOf(request, setLimits) ? jsonOf(request)?.allowed_ips : undefined;
			return addresses?.length > 16 && reply.status === 200 ? asFailure(reply, 400, 'invalid_limits') : reply;
		},
	},
	'the zone of a time is ignored': {
		failing: ['life.expires'],
		difference: onLimits((sent) => ({
			...sent,
			...(sent.expires_at && { expires_at: String(sent.expires_at).replace('+01:30', 'Z') }),
		})),
	},
	'a time without a zone is taken': {
		failing: ['life.wrong-limits'],
		difference: onLimits((sent) => ({
			...sent,
			...(/T\d\d:\d\d:\d\d$/.test(sent.expires_at) && { expires_at: `${sent.expires_at}Z` }),
		})),
	},
	'digits in a text are taken as a limit': {
		failing: ['life.wrong-limits'],
		difference: onLimits((sent) => ({
			...sent,
			...(/^\d+$/.test(sent.month_bytes) && { month_bytes: Number(sent.month_bytes) }),
		})),
	},
	'a speed below the least is taken': {
		failing: ['life.wrong-limits'],
		difference: onLimits((sent) => ({ ...sent, ...(sent.bytes_per_second === 7_999 && { bytes_per_second: 8_000 }) })),
	},
	'an IPv4 address in octal is taken': {
		failing: ['life.wrong-limits'],
		difference: onLimits((sent) => ({
			...sent,
			...(sent.allowed_ips?.[0] === '010.0.0.1' && { allowed_ips: ['8.0.0.1'] }),
		})),
	},
	'the limits beside a wrong one are set': {
		failing: ['life.wrong-limits'],
		async after({ request, reply, forward }) {
			const sent = isCallOf(request, setLimits) ? jsonOf(request) : undefined;
			const isHalf = reply.headers['x-error-code'] === 'invalid_limits' && sent?.total_bytes === null;
			if (isHalf) await forward(withJson(request, { username: sent.username, total_bytes: null }));
			return reply;
		},
	},
	'a note is cut off': {
		failing: ['life.note'],
		difference: onAnswer(setNote, (data) => ({ ...data, note: data.note.slice(0, 100) })),
	},
	'an empty note does not remove the one before': {
		failing: ['life.note', 'life.details'],
		async call({ request, forward }) {
			const sent = isCallOf(request, setNote) ? jsonOf(request) : undefined;
			if (sent?.note !== '') return forward(request);
			const reply = await forward(ask(request, viewDetails, sent));
			return withData(reply, ({ username }) => ({ username, note: '' }));
		},
	},
	'invisible characters are removed from a note': {
		failing: ['life.wrong-notes'],
		call({ request, forward }) {
			const sent = isCallOf(request, setNote) ? jsonOf(request) : undefined;
			const isText = typeof sent?.note === 'string';
			const note = isText && sent.note.replace(/[\n\t]/g, ' ');
			return forward(isText && note !== sent.note ? withJson(request, { ...sent, note }) : request);
		},
	},
	'addresses are answered as they were sent': {
		failing: ['life.sign-in-ips'],
		after({ request, reply }) {
			if (!isCallOf(request, setSignInIps) || reply.status !== 200) return reply;
			return withData(reply, (data) => ({ ...data, sign_in_ips: jsonOf(request).sign_in_ips }));
		},
	},
	'wrong addresses are left out': {
		failing: ['life.sign-in-ips'],
		call({ request, forward }) {
			const sent = isCallOf(request, setSignInIps) ? jsonOf(request) : undefined;
			const isLocal = sent?.sign_in_ips?.[0] === '127.0.0.1';
			return forward(isLocal ? withJson(request, { ...sent, sign_in_ips: [] }) : request);
		},
	},
	'an address of another account is accepted without a word': {
		failing: ['life.address-taken'],
		after({ request, reply }) {
			if (reply.headers['x-error-code'] !== 'address_taken') return reply;
			const { username, sign_in_ips } = jsonOf(request);
			return asSuccess(reply, { username, sign_in_ips });
		},
	},
	'the details show the key': {
		failing: ['life.details'],
		difference: onAnswer(viewDetails, (data) => ({ ...data, proxy_authkey: '4fQ9sLw2ZbT7xKc1' })),
	},
	'a byte of the day is missing': {
		failing: ['life.used'],
		difference: onUsed((used) => ({ ...used, day_bytes: Math.max(0, used.day_bytes - 1) })),
	},
	'the bytes of a month are those of all time': {
		failing: ['life.used'],
		difference: onUsed((used) => ({ ...used, month_bytes: used.total_bytes })),
	},
	'all time begins with this month': {
		failing: ['life.used'],
		difference: onUsed((used) => ({ ...used, total_bytes: used.month_bytes })),
	},
	'an endpoint needs no token': {
		failing: ['life.without-token'],
		difference: ({ acme }) => ({
			call: (request, forward) => {
				const isOpen = request.headers.authorization === undefined && isCallOf(request, viewDetails);
				return forward(isOpen ? withToken(request, acme.token) : request);
			},
		}),
	},
	'of two equal keys the last one counts': {
		failing: ['life.no-json-object'],
		call: ({ request, forward }) =>
			forward(isOf(request) && jsonOf(request) ? withJson(request, jsonOf(request)) : request),
	},
	'an empty body lists the first page': {
		failing: ['life.no-json-object'],
		call: ({ request, forward }) =>
			forward(isCallOf(request, viewSubUserPage) && request.body.length === 0 ? withJson(request, {}) : request),
	},
	'an unknown sub-user is suspended without a word': {
		failing: ['life.unknown', 'life.foreign', 'deletes.is-gone'],
		after({ request, reply }) {
			if (!isCallOf(request, suspendSubUser) || reply.status !== 404) return reply;
			return asSuccess(reply, { username: jsonOf(request).username, state: 'suspended' });
		},
	},
	...Object.fromEntries(
		[suspendSubUser, setLimits, setNote, viewDetails].map((endpoint): [string, Bug] => [
			`another reseller's sub-user can be reached by ${endpoint.path}`,
			{
				failing: ['life.foreign'],
				difference: ({ bolt }: { readonly bolt: { readonly token: string } }) => ({
					async call(request: Exchange, forward: (request: Exchange) => Promise<Reply>) {
						const reply = await forward(request);
						if (!isCallOf(request, endpoint) || reply.status !== 404) return reply;
						const leaked = await forward(withToken(request, bolt.token));
						return leaked.status === 200 ? leaked : reply;
					},
				}),
			},
		]),
	),
	'a repeated change of limits is done again': {
		failing: ['life.repeated-change'],
		after({ request, reply, forward }) {
			const { 'x-change-id': _id, ...headers } = request.headers;
			const isAgain = isCallOf(request, setLimits) && reply.headers['x-error-code'] === 'change_repeated';
			return isAgain ? forward({ ...request, headers }) : reply;
		},
	},
	'the look tells another kind': {
		failing: ['life.repeated-change'],
		difference: onAnswer(viewChange, (told) => told && { ...told, kind: 'suspend' }),
	},
	'a delete is not told with its amount': {
		failing: ['life.repeated-change'],
		difference: onAnswer(viewChange, (told) => told && { ...told, amount: null }),
	},
	'the expiry of a note is ignored': {
		failing: ['life.expired-change'],
		call({ request, forward }) {
			const { 'x-request-expires': _expires, ...headers } = request.headers;
			return forward(isCallOf(request, setNote) ? { ...request, headers } : request);
		},
	},
	'an expired sub-user is usable': {
		failing: ['life.usable'],
		difference: onAnswer(viewDetails, (data) =>
			data.reason === 'expired' ? { ...data, usable: true, reason: null } : data,
		),
	},
	'a suspended and expired sub-user is told as expired': {
		failing: ['life.usable'],
		difference: onAnswer(viewDetails, (data) =>
			data.state === 'suspended' && data.limits.expires_at?.startsWith('2020') ? { ...data, reason: 'expired' } : data,
		),
	},
	'a sub-user without usage was seen': {
		failing: ['life.details'],
		difference: onAnswer(viewDetails, (data) => ({ ...data, last_seen: data.last_seen ?? '2026-11-21T00:00:00.000Z' })),
	},
	'a sub-user that no proxy refused was refused': {
		failing: ['life.details'],
		difference: onAnswer(viewDetails, (data) => ({ ...data, refusals: [{ reason: 'exhausted', count: 1 }] })),
	},
	'the usage of a suspended sub-user is hidden': {
		failing: ['life.refused-pair'],
		async after({ request, reply, forward }) {
			if (!isCallOf(request, viewUsage)) return reply;
			const details = await dataOf(ask(request, viewDetails, jsonOf(request)), forward);
			return details?.state === 'suspended' ? asFailure(reply, 403, 'suspended') : reply;
		},
	},
};

const NO_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null]));

function onLimits(change: (sent: Json) => unknown): Difference {
	return {
		call(request, forward) {
			const sent = isCallOf(request, setLimits) ? jsonOf(request) : undefined;
			return forward(sent && !isDuplicated(request.body) ? withJson(request, change(sent)) : request);
		},
	};
}

function onUsed(change: (used: Json) => unknown): Difference {
	return onAnswer(viewDetails, (data) => ({ ...data, used: change(data.used) }));
}
