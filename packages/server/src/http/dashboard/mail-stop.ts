import type { StoppedMail } from '@bursar/contract/dashboard';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newId } from '../../credentials.ts';
import { STOP_PATH, type StoppableMail } from '../../mail/stop-links.ts';
import type { Reply } from './calls/call.ts';
import type { Calls } from './calls/calls.ts';
import { refusedBy, sendRefusal } from './calls/refusals.ts';
import type { DashboardDependencies } from './dependencies.ts';
import { setSecurityHeaders } from './security-headers.ts';

type StopDependencies = Pick<
	DashboardDependencies,
	'store' | 'bank' | 'stopLinks' | 'addressOf' | 'publicUrl' | 'nowMs'
>;

/** The calls of the page that stops mails. Nobody needs to be signed in. */
export function mailStopCalls(calls: Calls, dependencies: StopDependencies): void {
	const { store, stopLinks } = dependencies;

	calls.openChange('/mail/link', async ({ link }) => {
		const stoppable = stopLinks.read(link);
		if (!stoppable) return { refused: 'invalid_link' };
		const { [stoppable.mail]: wanted } = await store.findMailChoices(stoppable.person);
		return { data: { mail: stoppable.mail, wanted } };
	});

	calls.openChange('/mail/stop', async ({ link }, { request }) => stop(link, request, dependencies));
}

/**
 * Takes the request of a mail program whose reader presses its button to stop mails (RFC 8058). It comes from any origin,
 * without a cookie, and to the address of the page itself.
 */
export async function oneClickStop(app: FastifyInstance, dependencies: StopDependencies): Promise<void> {
	const { publicUrl, nowMs } = dependencies;
	app.post(STOP_PATH, async (request, reply) => {
		setSecurityHeaders(reply, publicUrl());
		const stopped = await stop(request.raw.url?.split('?')[1] ?? '', request, dependencies);
		if ('refused' in stopped) return sendRefusal(reply, stopped, nowMs());
		return reply
			.header('content-type', 'text/plain; charset=utf-8')
			.send('Stopped. What happens from now on is not mailed to you.\n');
	});
}

/** A repeat is answered without a command, so that repeats of a link cannot keep the store busy. */
async function stop(
	link: string,
	request: FastifyRequest,
	{ store, bank, stopLinks, addressOf }: StopDependencies,
): Promise<Reply<StoppedMail>> {
	const stoppable = stopLinks.read(link);
	if (!stoppable) return { refused: 'invalid_link' };
	const { person, mail } = stoppable;
	const { [mail]: wanted } = await store.findMailChoices(person);
	const stopped = { data: { mail, wanted: false } };
	if (!wanted) return stopped;
	const outcome = await bank.changePerson({ kind: 'stop_mail', person, mail, recorded: recordOf(stoppable, request) });
	if (outcome.ok) return stopped;
	// The person is not here any more.
	return outcome.error === 'unknown_mail' ? { refused: 'invalid_link' } : refusedBy(outcome);

	function recordOf(target: StoppableMail, { raw, id }: FastifyRequest) {
		const address = addressOf(raw).text;
		return { id: newId(), kind: 'stop_mail', person, address, target: target.mail, requestId: id };
	}
}
