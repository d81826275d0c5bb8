import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Way } from '../route.ts';
import { outliveWrites } from '../target/outlive-writes.ts';
import { type Unreachable, unreachable } from '../target/unreachable.ts';
import { answerUnreachable } from './answers.ts';
import { endAnswer } from './end-answer.ts';
import { passInterim } from './interim.ts';
import { limitUnpaid } from './limit-unpaid.ts';
import { hasBody, openRequest } from './open-request.ts';
import { answerHead, fieldsToPass } from './own-headers.ts';
import type { AskedFor } from './read-request.ts';

export interface ForwardEvents {
	/** A connection to the origin, or to an exit, is used for this request. */
	connecting(target: Socket): void;
	/** An answer begins. */
	answering(): void;
	/** No answer comes. The client was told. */
	unreachable(problem: Unreachable): void;
}

const REPEATABLE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Sends a plain request on, and its answer back. */
export function forward(
	request: IncomingMessage,
	response: ServerResponse,
	asked: AskedFor,
	way: Way,
	agent: Agent,
	events: ForwardEvents,
): void {
	const { method } = request;
	const out = openRequest(request, asked, way, agent, events.connecting);
	// Over SOCKS, the tunnel to the origin has told how it went.
	const exit = way.kind === 'exit' && way.exit.protocol !== 'socks5' ? way.exit : undefined;
	let isConnected = false;
	let isAnswered = false;
	out.on('socket', (socket) => {
		events.connecting(socket);
		isConnected = !socket.connecting;
		if (!isConnected) {
			socket.once(exit?.protocol === 'https' ? 'secureConnect' : 'connect', () => {
				isConnected = true;
			});
		}
		if (!out.reusedSocket) outliveWrites(socket);
		limitUnpaid(out, socket);
		// One through SOCKS is paused.
		socket.resume();
	});
	out.on('information', (interim) => passInterim(request, response, interim));
	out.on('response', (answer) => {
		isAnswered = true;
		if (exit && answer.statusCode === 407) {
			out.destroy(new Error('the upstream refuses the credentials of this proxy'));
			return void exit.refused();
		}
		exit?.answered();
		try {
			events.answering();
			passBack(answer, request, response);
			// Its origin needs nothing more of the body. Some read nothing more, and of others Node tells no more when they do.
			answer.once('end', () => {
				if (!out.writableFinished) out.destroy();
			});
		} catch (cause) {
			// Node reads some headers that it does not write.
			answer.destroy();
			fail(cause as Error);
		}
	});
	// A request that has given its socket away tells nobody of its end.
	out.on('upgrade', (_answer, socket) => {
		socket.destroy();
		isAnswered = true;
		exit?.answered();
		fail(new Error('the origin changes the protocol'));
	});
	out.on('error', fail);

	function fail(error: NodeJS.ErrnoException): void {
		// An answer that has begun tells by itself that it breaks off.
		if (response.headersSent || response.destroyed) return;
		// The origin may close an idle connection at the moment in which it is used again.
		if (out.reusedSocket && error.code === 'ECONNRESET' && !hasBody(request) && REPEATABLE.has(method)) {
			forward(request, response, asked, way, agent, events);
			return;
		}
		if (!isConnected) exit?.failed();
		else if (!isAnswered && !out.reusedSocket) exit?.refused();
		const problem = unreachable(error);
		events.unreachable(problem);
		events.answering();
		answerUnreachable(request, response, problem);
	}

	response.once('close', () => {
		if (!response.writableFinished) out.destroy();
	});
	if (!hasBody(request)) return void out.end();
	request.pipe(out, { end: false });
	request.once('end', () => {
		if (out.destroyed) return;
		out.addTrailers(fieldsToPass(request.rawTrailers));
		out.end();
	});
	// Whoever reads no more does not see that the client is gone, either.
	out.once('close', () => request.unpipe(out).resume());
}

function passBack(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
	const { status, reason, headers } = answerHead(answer);
	response.sendDate = false;
	response.writeHead(status, reason, headers);
	// The client must not take a part for the whole.
	answer.on('error', () => response.destroy());
	answer.pipe(response, { end: false });
	answer.once('end', () => {
		response.addTrailers(fieldsToPass(answer.rawTrailers));
		endAnswer(request, response);
	});
}
