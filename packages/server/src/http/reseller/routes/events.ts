import { allEndpoints } from '@bursar/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWith } from '../../server/answers.ts';
import { sendDataText, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { type EventPage, eventPageText, type RefusedPlace, readEventPage, readNewestPlace } from '../event-page.ts';
import { readEventPageRequest, type WantedEvents } from '../event-requests.ts';
import { createEventWaits } from '../event-waits.ts';
import { sendRefusedPlace } from '../refusals.ts';
import { findToken, sendUnauthorized } from '../require-reseller.ts';

/** Pages of events, for which a request may wait. */
export function eventRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'authenticator' | 'nowMs' | 'lenient' | 'eventLookMs'>,
): void {
	const { store, authenticator, nowMs } = dependencies;
	const waits = createEventWaits(store, { lookMs: dependencies.eventLookMs });
	app.addHook('preClose', async () => waits.close());

	app.post(allEndpoints.viewEventPage.path, (request, reply) => {
		const wanted = readEventPageRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, readPage(request, reply, wanted), (page) => {
			if (page === 'unauthorized') return sendUnauthorized(request, reply, nowMs());
			if ('refused' in page) return sendRefusedPlace(reply, page, nowMs());
			return sendDataText(reply, eventPageText(page), nowMs());
		});
	});

	async function readPage(request: FastifyRequest, reply: FastifyReply, wanted: WantedEvents) {
		const { reseller } = request;
		const { after, waitMs } = wanted;
		if (after === 'newest') return readNewestPlace(store, reseller);
		const page = await readEventPage(store, { ...wanted, reseller, after });
		if (waitMs === 0 || !isAtEnd(page)) return page;
		// What a wait needs of its request is read.
		request.body = undefined;
		const waited = await waitForPage(request, reply, wanted, page);
		return (await findToken(authenticator, request))?.reseller === reseller ? waited : 'unauthorized';
	}

	/** Reads on, as often as there is something new, until a page has an event. */
	async function waitForPage(
		request: FastifyRequest,
		reply: FastifyReply,
		{ limit, types, waitMs }: WantedEvents,
		from: EventPage,
	): Promise<EventPage | RefusedPlace> {
		const { reseller } = request;
		const wait = waits.begin(reseller, waitMs, reply.raw);
		const beganAtMs = performance.now();
		try {
			let page: EventPage | RefusedPlace = from;
			while (isAtEnd(page) && (await wait.newestIsNot(page.next.number))) {
				page = await readEventPage(store, { reseller, after: page.next, limit, types });
			}
			return page;
		} finally {
			wait.end();
			// The measured duration is that of the work.
			request.arrivedAtMs += performance.now() - beganAtMs;
		}
	}
}

/** Whether a page has nothing, and there is nothing more to read now. */
function isAtEnd(page: EventPage | RefusedPlace): page is EventPage {
	return !('refused' in page) && page.events.length === 0 && !page.more;
}
