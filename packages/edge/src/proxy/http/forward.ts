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
	/** The request is sent on this connection. */
	sending(target: Socket): void;
	/** An answer begins. */
	answering(): void;
	/** No answer comes. The client got an error. */
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
	// Over SOCKS, opening the tunnel has told the exit how it went.
	const exit = way.kind === 'exit' && way.exit.protocol !== 'socks5' ? way.exit : undefined;
	let isConnected = false;
	let isAnswered = false;
	out.on('socket', (socket) => {
		events.connecting(socket);
		events.sending(socket);
		isConnected = !socket.connecting;
		if (!isConnected) {
			socket.once(exit?.protocol === 'https' ? 'secureConnect' : 'connect', () => {
				isConnected = true;
			});
		}
		if (!out.reusedSocket) outliveWrites(socket);
		limitUnpaid(out, socket);
		// The socket of a tunnel over SOCKS is paused.
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
			// The origin needs no more of the body. Some origins stop reading it. Node no longer tells when the others
			// read.
			answer.once('end', () => {
				if (!out.writableFinished) out.destroy();
			});
		} catch (cause) {
			// Node accepts some headers that it refuses to write.
			answer.destroy();
			fail(cause as Error);
		}
	});
	// After an upgrade, Node emits no further event for the request.
	out.on('upgrade', (_answer, socket) => {
		socket.destroy();
		isAnswered = true;
		exit?.answered();
		fail(new Error('the origin changes the protocol'));
	});
	out.on('error', fail);

	function fail(error: NodeJS.ErrnoException): void {
		// A broken connection shows the client that a begun answer is incomplete.
		if (response.headersSent || response.destroyed) return;
		// The origin may close an idle connection just when it is used again.
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
	// Node notices that the client is gone only while it reads.
	out.once('close', () => request.unpipe(out).resume());
}

function passBack(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
	const { status, reason, headers } = answerHead(answer);
	response.sendDate = false;
	response.writeHead(status, reason, headers);
	// The client must not take a part for the whole answer.
	answer.on('error', () => response.destroy());
	answer.pipe(response, { end: false });
	answer.once('end', () => {
		response.addTrailers(fieldsToPass(answer.rawTrailers));
		endAnswer(request, response);
	});
}
