import type { Endpoint } from './endpoint.ts';
import { EventPage, EventPageRequest } from './event-schemas.ts';
import { type OwnOperation, routes } from './routes.ts';

/** The endpoint of the events (docs/api.md 12). */
export const eventEndpoints = {
	viewEventPage: {
		...routes.viewEventPage,
		tag: 'Events',
		summary: 'Read a page of events',
		description:
			'What has happened to the reseller and its sub-users, the oldest first, from a place in the log on. Keep `next`, and ask from there on. A place that the log does not have any more is 410, never a silent gap: `X-Events-Oldest` and `X-Events-Newest` tell which events there are. A page looks at a limited number of events: if few of them match, it has fewer than `limit`, or none, and `more` is true.',
		request: EventPageRequest,
		requestExample: { after: '0', limit: 1, types: ['sub_user.suspended', 'sub_user.resumed'] },
		answer: 'A page of events.',
		data: EventPage,
		dataExample: {
			events: [
				{
					id: 'evt_3Jx0ZqPr7LmVd2TnKc9sWb',
					number: 7,
					type: 'sub_user.suspended',
					at: '2026-11-21T09:30:00.000Z',
					username: 'alice.smith',
					data: {},
					request_id: '5f0c2a52-6f0e-4a53-9d0a-2f6a1f7d9c11',
					change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw',
				},
			],
			next: '7-evt_3Jx0ZqPr7LmVd2TnKc9sWb',
			more: true,
		},
		failures: ['payload_too_large', 'unsupported_media_type', 'events_expired', 'events_rewound'],
	},
} as const satisfies Record<Extract<OwnOperation, 'viewEventPage'>, Endpoint>;
