import { allEndpoints, EVENT_TYPES } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectForm,
	expectThat,
	fieldOf,
	isAccepted,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { CLOCK_TOLERANCE_S } from './every-answer.ts';

const PAGE = 'docs/api.md 12.1 Page of events';
const EVENT = 'docs/api.md 12.2 The event';
const PLACES = 'docs/api.md 12.4 Places';
const WAITING = 'docs/api.md 12.5 Waiting';
const { resumeSubUser, suspendSubUser, viewEventPage } = allEndpoints;
const FOREIGN_ID = `evt_${'0'.repeat(22)}`;
/** The suite gives a call up after 15 s. */
const LONG_WAIT_SECONDS = 10;

/** The log of events. */
export const eventRules: readonly Rule[] = [
	{
		name: 'events.causes',
		basis: 'bursar',
		guarantee: 'Each change has its event, in order and without a gap, with the ids of its request and of the change.',
		source: `docs/api.md 12 Events; ${EVENT}`,
		needs: ['sub-user'],
		async check(session) {
			const { api, subUser } = session;
			const from = await newestPlace(api);
			const username = subUser();
			const changeId = `conf-event-${Date.now()}-${process.pid}`;
			const headers = { 'x-change-id': changeId };
			const suspended = await api.call(suspendSubUser, { body: { username }, headers });
			const resumed = await api.call(resumeSubUser, { body: { username } });
			const reset = await api.resetAuthKey(username);
			for (const answer of [suspended, resumed, reset]) expectAccepted(answer);
			const events = await readAll(api, { after: from });
			const before = Number.parseInt(from, 10);
			expectEqual(
				'the numbers of the events',
				events.map(({ number }) => number),
				events.map((_, index) => before + 1 + index),
			);
			const expected = [
				['sub_user.suspended', suspended, changeId],
				['sub_user.resumed', resumed, undefined],
				['sub_user.key_reset', reset, undefined],
			] as const;
			const types: readonly unknown[] = expected.map(([type]) => type);
			const own = events.filter((event) => types.includes(event.type));
			expectEqual(
				'the types of the events',
				own.map(({ type }) => type),
				types,
			);
			for (const [index, [type, answer, sentId]] of expected.entries()) {
				const { id, number: _, at, ...event } = own[index] as SeenEvent;
				const request_id = answer.headers.get('x-request-id');
				const cause = { request_id, ...(sentId !== undefined && { change_id: sentId }) };
				expectEqual(`the event of ${answer.asked}`, event, { type, username, data: {}, ...cause });
				expectForm('its id', id, /^evt_[0-9A-Za-z]{22}$/, 'evt_ and 22 letters and digits');
				const isNow = Math.abs(Date.parse(String(at)) - Date.now()) <= CLOCK_TOLERANCE_S * 1000;
				expectThat(isNow, 'its time', `within ${CLOCK_TOLERANCE_S} s of now`, at);
			}
		},
	},
	{
		name: 'events.pages',
		basis: 'bursar',
		guarantee: 'Pages of events follow each other without a gap and without a repeat, and say the same at every look.',
		source: PAGE,
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const from = await newestPlace(api);
			await happen(session, 2);
			const { events, next } = await pageOf(api, { after: from });
			expectThat(events.length >= 4, 'the events of four changes', 'at least 4', events.length);
			const singly: SeenEvent[] = [];
			for (let after = from; singly.length < events.length; ) {
				const page = await pageOf(api, { after, limit: 1 });
				expectEqual('events of a page of one', page.events.length, 1);
				const [event] = page.events as [SeenEvent];
				expectEqual('the next of a page of one', page.next, `${event.number}-${event.id}`);
				singly.push(event);
				expectEqual('whether there is more', page.more, singly.length < events.length);
				after = page.next;
			}
			expectEqual('pages of one', singly, events);
			expectEqual('a page at the end', await pageOf(api, { after: next }), { events: [], next, more: false });
			const [first] = events as [SeenEvent];
			for (const after of [first.number, String(first.number)]) {
				const page = await pageOf(api, { after });
				expectEqual(`events behind ${JSON.stringify(after)}`, page.events, events.slice(1));
			}
			const { events: oldest } = await pageOf(api, { limit: 2 });
			const { events: also } = await pageOf(api, { after: null, limit: 2 });
			expectEqual('a page without a place', also, oldest);
		},
	},
	{
		name: 'events.types',
		basis: 'bursar',
		guarantee: 'With types, a page has the events of these types only, and its next moves past the others.',
		source: PAGE,
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const after = await newestPlace(api);
			await happen(session, 2);
			const { events, next } = await pageOf(api, { after });
			const types = ['sub_user.resumed', 'sub_user.deleted'];
			const wanted = events.filter(({ type }) => types.includes(String(type)));
			expectEqual('a page of two types', await pageOf(api, { after, types }), { events: wanted, next, more: false });
			const none = await pageOf(api, { after, types: ['sub_user.deleted'] });
			expectEqual('a page of a type that has not happened', none, { events: [], next, more: false });
			const all = await pageOf(api, { after, types: EVENT_TYPES });
			expectEqual('a page of all types', all, { events, next, more: false });
		},
	},
	{
		name: 'events.newest',
		basis: 'bursar',
		guarantee: 'newest answers no events, and the place behind the newest one.',
		source: PLACES,
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const before = await newestPlace(api);
			await happen(session, 1);
			const { next } = await pageOf(api, { after: before });
			const newest = await pageOf(api, { after: 'newest', limit: 1 });
			expectEqual('the page of newest', newest, { events: [], next, more: false });
		},
	},
	{
		name: 'events.rewound',
		basis: 'bursar',
		guarantee:
			'A number above the newest, or one of another event, is 410 events_rewound, with the events that there are.',
		source: PLACES,
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			await newestPlace(api);
			await happen(session, 1);
			const { number } = (await readAll(api, { after: Number.parseInt(await newestPlace(api), 10) - 1 })).at(
				-1,
			) as SeenEvent;
			const newest = Number(number);
			for (const after of [
				...[newest + 1000, String(newest + 1000), `${newest + 1000}-${FOREIGN_ID}`],
				...[`${newest}-${FOREIGN_ID}`, `${newest - 1}-${FOREIGN_ID}`],
			]) {
				const answer = await api.call(viewEventPage, { body: { after } });
				expectFailure(answer, 410, 'events_rewound', `after ${after}`);
				expectEqual(`X-Events-Newest after ${after}`, answer.headers.get('x-events-newest'), String(newest));
				const oldest = Number(answer.headers.get('x-events-oldest') ?? Number.NaN);
				expectThat(oldest >= 1 && oldest <= newest, `X-Events-Oldest after ${after}`, `1 to ${newest}`, oldest);
			}
		},
	},
	{
		name: 'events.wait',
		basis: 'bursar',
		guarantee: 'With wait_seconds, an answer without events waits for one, and no longer than that.',
		source: WAITING,
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const after = await newestPlace(api);
			const beganAtMs = performance.now();
			const none = await pageOf(api, { after, wait_seconds: 1 });
			const tookMs = performance.now() - beganAtMs;
			expectEqual('a page after a wait of a second', none, { events: [], next: after, more: false });
			// Timers of two machines.
			expectThat(tookMs > 800, 'the time of that answer', 'about a second', `${Math.round(tookMs)} ms`);
			const types = ['sub_user.resumed'];
			const waiting = pageOf(api, { after, types, wait_seconds: LONG_WAIT_SECONDS });
			const waitedFromMs = performance.now();
			await happen(session, 1);
			const { events } = await waiting;
			const waitedMs = performance.now() - waitedFromMs;
			expectEqual(
				'the types of what was waited for',
				events.map(({ type }) => type),
				types,
			);
			const isSoon = waitedMs < (LONG_WAIT_SECONDS - 2) * 1000;
			expectThat(isSoon, 'the time until it was answered', 'a few seconds', `${Math.round(waitedMs)} ms`);
		},
	},
	{
		name: 'events.wrong-fields',
		basis: 'bursar',
		guarantee: 'A page of events with a field of another type or out of bounds answers 400.',
		source: PAGE,
		async check({ api }) {
			await newestPlace(api);
			for (const body of [
				...[0, -1, 1001, 1.5, '5', null, true].map((limit) => ({ limit })),
				...[-1, 1.5, true, {}, ['x'], '', 'oldest', '01', '1-', '1-evt_x', `x-${FOREIGN_ID}`].map((after) => ({
					after,
				})),
				...[null, [], 'sub_user.created', [5], ['gone']].map((types) => ({ types })),
				...[
					['sub_user.created', 'gone'],
					['sub_user.created', 'sub_user.created'],
				].map((types) => ({ types })),
				...[-1, 26, 1.5, '5', null, true].map((wait_seconds) => ({ wait_seconds })),
			]) {
				const what = `sent with ${JSON.stringify(body).slice(0, 60)}`;
				expectFailure(await api.call(viewEventPage, { body }), 400, 'invalid_request', what);
			}
		},
	},
	{
		name: 'events.foreign',
		basis: 'bursar',
		guarantee: 'The log has no event of another reseller.',
		source: 'docs/api.md 12 Events',
		needs: ['second-reseller'],
		async check(session) {
			const after = await newestPlace(session.api);
			const { api, subUser } = session.second();
			const theirs = await newestPlace(api);
			const body = { username: subUser };
			for (const change of [suspendSubUser, resumeSubUser]) expectAccepted(await api.call(change, { body }));
			const [first] = await readAll(api, { after: theirs });
			const events = await readAll(session.api, { after });
			const foreign = events.filter(({ id, username }) => username === subUser || id === first?.id);
			expectEqual('events of the other reseller', foreign, []);
		},
	},
];

interface SeenEvent {
	readonly id: unknown;
	readonly number: unknown;
	readonly type: unknown;
	readonly at: unknown;
	readonly username?: unknown;
}

/** Suspends and resumes the sub-user of the run so many times. */
async function happen({ api, subUser }: Session, times: number): Promise<void> {
	const body = { username: subUser() };
	for (let time = 0; time < times; time++)
		for (const change of [suspendSubUser, resumeSubUser]) expectAccepted(await api.call(change, { body }));
}

/** The place behind the newest event. Throws `NotTestable` if the service does not offer events. */
async function newestPlace(api: ResellerApi): Promise<string> {
	const answer = await api.call(viewEventPage, { body: { after: 'newest' } });
	if (!isAccepted(answer) && answer.errorCode !== 'internal_error' && [404, 405, 501].includes(answer.status)) {
		throw new NotTestable(`the service does not offer it: ${answer.asked} was answered ${answer.status}`);
	}
	return pageIn(answer).next;
}

async function pageOf(api: ResellerApi, body: object) {
	return pageIn(await api.call(viewEventPage, { body }));
}

function pageIn(answer: Answer) {
	const what = `data of ${answer.asked}`;
	const { events, next, more } = expectFields(what, expectAccepted(answer), ['events', 'next', 'more']);
	const seen = expectArray(`events in ${what}`, events) as readonly SeenEvent[];
	for (const event of seen) {
		for (const name of ['username', 'request_id', 'change_id']) {
			const isThere = typeof event === 'object' && event !== null && name in event;
			if (isThere) expectForm(`${name} in ${what}`, fieldOf(event, name), /./, 'a text, or absent');
		}
	}
	const places = /^(?:0|[1-9]\d*)(?:-evt_[0-9A-Za-z]{22})?$/;
	expectForm(`next in ${what}`, next, places, 'a number, or a number and an id');
	return { events: seen, next: next as string, more };
}

/** The events of all pages behind a place. */
async function readAll(api: ResellerApi, body: { readonly after: string | number }): Promise<readonly SeenEvent[]> {
	const all: SeenEvent[] = [];
	for (let { after } = body; ; ) {
		const { events, next, more } = await pageOf(api, { after, limit: 1000 });
		all.push(...events);
		if (more !== true) return all;
		expectThat(next !== after, 'the next of a page', 'another place than before', next);
		after = next;
	}
}
