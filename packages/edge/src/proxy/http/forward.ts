import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DialEvents } from '../from/dial-from.ts';
import { outliveWrites } from '../target/outlive-writes.ts';
import { type Unreachable, unreachable } from '../target/unreachable.ts';
import { isFaultOfExit } from '../upstream/connect-through.ts';
import { answerUnreachable } from './answers.ts';
import { endAnswer } from './end-answer.ts';
import { isExitHeader, isMadeByExit } from './exit-answers.ts';
import { passInterim } from './interim.ts';
import { limitUnpaid } from './limit-unpaid.ts';
import { type Hop, hasBody, openRequest } from './open-request.ts';
import { answerHead, fieldsToPass } from './own-headers.ts';
import type { AskedFor } from './read-request.ts';

export interface Forwarding {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly asked: AskedFor;
	readonly hop: Hop;
	agentFor(hop: Hop): Agent;
	readonly events: ForwardEvents;
}

interface ForwardEvents extends DialEvents {
	/** A connection to the origin, or to an exit, is used for this request. It must be open in this time, if one is given. */
	connecting(target: Socket, connectMs?: number): void;
	/** The request is sent on this connection. */
	sending(target: Socket): void;
	/** An answer begins. */
	answering(): void;
	/** No answer comes. The client got an error. */
	unreachable(problem: Unreachable): void;
}

const REPEATABLE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Sends a plain request on, and its answer back. If an exit is at fault before it gets anything of the request, the request
 * goes to another one. So the body is not read before there is a connection.
 */
export function forward(forwarding: Forwarding): void {
	const { request, response, asked, hop, agentFor, events } = forwarding;
	const out = openRequest(request, asked, hop, agentFor(hop), events);
	// Over SOCKS, opening the tunnel has told the exit how it went, and the answer is that of the origin.
	const tries = hop.kind === 'exit' ? hop : undefined;
	const exit = tries && tries.exit.protocol !== 'socks5' ? tries.exit : undefined;
	const isLeftOut = exit && isExitHeader;
	let isConnected = false;
	let isAnswered = false;
	/** The request goes another way. */
	let isLeft = false;
	out.on('socket', (socket) => {
		events.connecting(socket, tries?.connectMs);
		events.sending(socket);
		// A kept connection goes on from where it began.
		if (hop.kind === 'direct' && hop.from && socket.localAddress) events.leaves(socket.localAddress);
		if (!socket.connecting) connected();
		else socket.once(exit?.protocol === 'https' ? 'secureConnect' : 'connect', connected);
		if (!out.reusedSocket) outliveWrites(socket);
		limitUnpaid(out, socket);
		// The socket of a tunnel over SOCKS is paused.
		socket.resume();
	});
	out.on('information', (interim) => passInterim(request, response, interim, isLeftOut));
	out.on('response', (answer) => {
		isAnswered = true;
		if (exit && isMadeByExit(answer)) return void failByExit(answer.statusCode);
		exit?.answered();
		try {
			events.answering();
			passBack(answer, request, response, isLeftOut);
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

	function connected(): void {
		isConnected = true;
		if (tries && hasBody(request)) sendBody();
	}

	/** As after a CONNECT: the client is told nothing of the exit. */
	function failByExit(status: number | undefined): void {
		if (status === 407) tries?.refused();
		else exit?.answered();
		const cause = new Error('the upstream has made this answer');
		out.destroy(status === 504 ? Object.assign(cause, { code: 'ETIMEDOUT' }) : cause);
	}

	function fail(error: NodeJS.ErrnoException): void {
		// A broken connection shows the client that a begun answer is incomplete.
		if (isLeft || response.headersSent || response.destroyed || request.socket.destroyed) return;
		// The origin may close an idle connection just when it is used again.
		const wasIdle = out.reusedSocket && error.code === 'ECONNRESET';
		if (wasIdle && !hasBody(request) && REPEATABLE.has(request.method)) return void again();
		if (!isConnected) exit?.failed();
		else if (exit && !isAnswered && !out.reusedSocket) tries?.refused();
		if (!isConnected && (exit || isFaultOfExit(error)) && tries?.goOn()) return void again();
		const problem = unreachable(error);
		events.unreachable(problem);
		events.answering();
		answerUnreachable(request, response, problem);
	}

	function again(): void {
		isLeft = true;
		forward(forwarding);
	}

	function sendBody(): void {
		request.pipe(out, { end: false });
		request.once('end', () => {
			if (out.destroyed) return;
			out.addTrailers(fieldsToPass(request.rawTrailers));
			out.end();
		});
	}

	response.once('close', () => {
		if (!response.writableFinished) out.destroy();
	});
	if (!hasBody(request)) return void out.end();
	if (!tries) sendBody();
	out.once('close', () => {
		// Node notices that the client is gone only while it reads.
		if (!isLeft) request.unpipe(out).resume();
	});
}

function passBack(
	answer: IncomingMessage,
	request: IncomingMessage,
	response: ServerResponse,
	isLeftOut?: (name: string) => boolean,
): void {
	const { status, reason, headers } = answerHead(answer, isLeftOut);
	response.sendDate = false;
	response.writeHead(status, reason, headers);
	// The client must not take a part for the whole answer.
	answer.on('error', () => response.destroy());
	answer.pipe(response, { end: false });
	answer.once('end', () => {
		response.addTrailers(fieldsToPass(answer.rawTrailers, undefined, isLeftOut));
		endAnswer(request, response);
	});
}
