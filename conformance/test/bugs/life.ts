import { allEndpoints, endpoints } from '@bursar/contract';
import { type Bug, onAnswer } from '../support/bug.ts';
import { asSuccess, isCallOf, jsonOf, withJson } from '../support/differences.ts';

const { suspendSubUser, setLimits, setNote, deleteSubUser } = allEndpoints;
const { viewSubUserPage, viewStatementPage } = allEndpoints;

/** Bugs with the life of a sub-user. */
export const lifeBugs: readonly Bug[] = [
	{
		what: 'suspend changes nothing',
		failing: ['life.suspend'],
		difference: () => ({
			call(request, forward) {
				return forward(
					isCallOf(request, suspendSubUser) ? { ...request, path: allEndpoints.resumeSubUser.path } : request,
				);
			},
		}),
	},
	{
		what: 'a limit that is absent is removed',
		failing: ['life.limits'],
		difference: () => ({
			call(request, forward) {
				const body = isCallOf(request, setLimits) ? jsonOf(request) : undefined;
				return forward(
					body && !('day_bytes' in body) && 'allowed_ips' in body
						? withJson(request, { day_bytes: null, ...body })
						: request,
				);
			},
		}),
	},
	{
		what: 'a limit of the wrong type is ignored',
		failing: ['life.wrong-limits'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				return isCallOf(request, setLimits) && reply.status === 400 ? asSuccess(reply, {}) : reply;
			},
		}),
	},
	{
		what: 'a note loses its last character',
		failing: ['life.note'],
		difference: () => onAnswer(setNote, (data) => data && { ...data, note: data.note.slice(0, -1) }),
	},
	{
		what: 'a sub-user that does not exist can be suspended',
		failing: ['life.unknown'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				return isCallOf(request, suspendSubUser) && reply.status === 404 ? asSuccess(reply, {}) : reply;
			},
		}),
	},
	{
		what: 'a page leaves out its last sub-user',
		failing: ['life.pages'],
		difference: () => onAnswer(viewSubUserPage, (data) => data && { ...data, sub_users: data.sub_users.slice(0, -1) }),
	},
	{
		what: 'a movement has another amount',
		failing: ['life.statement'],
		difference: () =>
			onAnswer(
				viewStatementPage,
				(data) => data && { ...data, movements: data.movements.map((each: object) => ({ ...each, amount: 1 })) },
			),
	},
	{
		what: 'a delete keeps the sub-user',
		failing: ['life.delete'],
		difference: () => ({
			async call(request, forward) {
				if (!isCallOf(request, deleteSubUser)) return forward(request);
				const { username } = jsonOf(request) ?? {};
				const reply = await forward({
					...withJson(request, { username, amount_usd_cents: 5 }),
					path: endpoints.takeBalance.path,
				});
				return reply.status === 200 ? asSuccess(reply, { username, amount_usd_cents: 5 }) : reply;
			},
		}),
	},
];
