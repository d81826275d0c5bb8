import { allEndpoints } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bug, type Bugs, onAnswer } from '../support/bug.ts';
import {
	ask,
	asSuccess,
	dataOf,
	isCallOf,
	type Json,
	jsonOf,
	withData,
	withJson,
	withToken,
} from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { viewEventPage } = allEndpoints;
const isRead = (request: Exchange) => isCallOf(request, viewEventPage);

/** Bugs in the log of events. */
export const eventBugs: Bugs = {
	'the log skips numbers': {
		failing: ['events.causes'],
		difference: onEvents((events) => events.map((event) => ({ ...event, number: event.number * 2 }))),
		perhaps: ['events.pages', 'events.rewound'],
	},
	'an event has another id at each look': {
		failing: ['events.pages', 'events.types'],
		difference: onEvents((events) =>
			events.map((event) => ({ ...event, id: `evt_${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}` })),
		),
		perhaps: ['events.newest'],
	},
	'events come newest first': {
		failing: ['events.causes', 'events.pages'],
		difference: onEvents((events) => events.toReversed()),
		perhaps: ['events.rewound'],
	},
	'an event is left out': {
		failing: ['events.causes', 'events.pages'],
		difference: onEvents((events) => events.filter(({ type }) => type !== 'sub_user.suspended')),
		perhaps: ['events.rewound'],
	},
	'an event has an id of its own instead of that of its request': {
		failing: ['events.causes'],
		difference: onEvents((events) => events.map((event) => ({ ...event, request_id: `event-${event.id}` }))),
	},
	'a change is told without its id': {
		failing: ['events.causes'],
		difference: onEvents((events) => events.map(({ change_id: _, ...event }) => event)),
	},
	'what there is not is null': {
		failing: ['events.causes', 'events.pages', 'events.types', 'events.wait', 'events.newest', 'events.rewound'],
		perhaps: ['events.foreign'],
		difference: onEvents((events) => events.map((event) => ({ change_id: null, ...event }))),
	},
	'an event of a new key tells the key': {
		failing: ['events.causes'],
		difference: onEvents((events) =>
			events.map((event) => (event.type === 'sub_user.key_reset' ? { ...event, data: { key: 'abc' } } : event)),
		),
	},
	'types are ignored': {
		failing: ['events.types', 'events.wait', 'events.wrong-fields'],
		difference: ignoring('types'),
	},
	'next does not move past events of other types': {
		failing: ['events.types'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { types, after } = (isRead(request) && jsonOf(request)) || {};
			if (types === undefined) return reply;
			return withData(reply, (data) => (data.events.length === 0 ? { ...data, next: String(after) } : data));
		},
	},
	'next does not move': {
		failing: ['events.pages', 'events.newest'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { after } = (isRead(request) && jsonOf(request)) || {};
			if (typeof after !== 'string' || after === 'newest') return reply;
			return withData(reply, (data) => ({ ...data, next: after }));
		},
	},
	'more is never said': {
		failing: ['events.pages'],
		difference: onAnswer(viewEventPage, (data) => ({ ...data, more: false })),
	},
	'newest answers the last event': {
		failing: ['events.newest'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { after, limit } = (isRead(request) && jsonOf(request)) || {};
			if (after !== 'newest' || limit === undefined) return reply;
			const next = Number.parseInt(JSON.parse(reply.body).data.next, 10);
			return asSuccess(reply, await dataOf(ask(request, viewEventPage, { after: next - 1 }), forward));
		},
	},
	'a number above the newest has no events yet': {
		failing: ['events.rewound'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { after } = (isRead(request) && jsonOf(request)) || {};
			const isAbove = reply.headers['x-error-code'] === 'events_rewound' && Number.isInteger(Number(after));
			return isAbove ? asSuccess(reply, { events: [], next: String(after), more: false }) : reply;
		},
	},
	'the id in a place is ignored': {
		failing: ['events.rewound'],
		perhaps: ['events.wrong-fields'],
		call({ request, forward }) {
			const { after, ...others } = (isRead(request) && jsonOf(request)) || {};
			if (typeof after !== 'string' || !/-evt_[0-9A-Za-z]{22}$/.test(after)) return forward(request);
			return forward(withJson(request, { ...others, after: after.replace(/-.*/, '') }));
		},
	},
	'a log that was rewound does not tell which events there are': {
		failing: ['events.rewound'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { 'x-events-oldest': _oldest, 'x-events-newest': _newest, ...headers } = reply.headers;
			return { ...reply, headers };
		},
	},
	'a wait is forgotten': {
		failing: ['events.wait', 'events.wrong-fields'],
		difference: ignoring('wait_seconds'),
	},
	'a wait ends only when its time is over': {
		failing: ['events.wait'],
		async call({ request, forward }) {
			const { wait_seconds: seconds, ...others } = (isRead(request) && jsonOf(request)) || {};
			if (!Number.isInteger(seconds) || seconds < 1 || seconds > 25) return forward(request);
			await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
			return forward(withJson(request, others));
		},
	},
	...Object.fromEntries(
		['limit', 'after', 'types', 'wait_seconds'].map((field): [string, Bug] => [
			`a wrong ${field} of a page of events is ignored`,
			{
				failing: ['events.wrong-fields'],
				async call({ request, forward }) {
					const reply = await forward(request);
					return isRead(request) && reply.status === 400 ? forward(without(field, request)) : reply;
				},
			},
		]),
	),
	'the log shows another reseller': {
		failing: ['events.foreign'],
		perhaps: ['events.causes', 'events.rewound'],
		async call({ request, forward, acme, bolt }) {
			const { after, limit } = (isRead(request) && jsonOf(request)) || {};
			const isOwn = request.headers.authorization === `Bearer ${acme.token}`;
			const reply = await forward(request);
			if (limit !== 1000 || !isOwn || after === undefined) return reply;
			const theirs = await dataOf(ask(withToken(request, bolt.token), viewEventPage, { limit: 1000 }), forward);
			return withData(reply, (data) => ({ ...data, events: [...data.events, ...theirs.events.slice(-1)] }));
		},
	},
};

function onEvents(change: (events: readonly Json[]) => readonly Json[]): Difference {
	return onAnswer(viewEventPage, (data) => ({ ...data, events: change(data.events) }));
}

/** The field counts as absent, whatever it is. */
function ignoring(field: string): Difference {
	return {
		call: (request, forward) => forward(isRead(request) ? without(field, request) : request),
	};
}

function without(field: string, request: Exchange): Exchange {
	const { [field]: _ignored, ...others } = jsonOf(request) ?? {};
	return withJson(request, others);
}
