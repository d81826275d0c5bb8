import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError, Server, type ServerOptions } from 'proxy-chain';
import { guardAnswer } from './guard-answer.ts';
import { removeOwnHeaders } from './own-headers.ts';
import { openTunnel } from './tunnel.ts';
import { guardUpstreamTunnel, type Unreachable, unreachable } from './unreachable.ts';

/** Called at the points of a request at which proxy-chain itself calls nothing. */
export interface RequestTracking {
	connected(socket: Socket): void;
	/** A request has begun, before anything was read from it. Returns why it is refused at once, if it is. */
	began(socket: Socket): RequestError | undefined;
	/** A request without tunnel and its answer are complete. */
	done(socket: Socket): void;
	/** A request was refused, or could not be read. The connection is being closed. */
	failed(socket: Socket): void;
	/** The destination of a request cannot be reached. */
	unreachable(socket: Socket, problem: Unreachable): void;
	/** A connection to an origin or an upstream begins, for the request of this client. */
	connecting(client: Socket, target: Socket): void;
	/** A tunnel ends, from this side first. */
	tunnelEnded(client: Socket, by: 'client' | 'destination'): void;
}

export type TrackedServerOptions = ServerOptions & {
	/** Whether requests go to their destinations, and not to an upstream. */
	readonly isDirect: boolean;
};

/** Statuses from here on are no statuses of HTTP. */
const MAX_STATUS = 590;

interface InProgress {
	readonly socket: Socket;
	/** Of a request without tunnel. */
	readonly response?: ServerResponse;
}

/**
 * A proxy-chain server that tells about its requests, and about each socket that it opens for them. It opens the tunnels
 * to destinations itself, and answers in the order of the requests.
 */
export class TrackedServer extends Server {
	readonly #tracking: RequestTracking;
	readonly #isDirect: boolean;
	readonly #inProgress = new AsyncLocalStorage<InProgress | undefined>();
	/** The newest response of each connection. */
	readonly #newest = new WeakMap<Socket, ServerResponse>();
	/** What follows a request that could not be read cannot be read either. */
	readonly #unreadable = new WeakSet<Socket>();

	constructor({ isDirect, ...options }: TrackedServerOptions, tracking: RequestTracking) {
		super(options);
		this.#isDirect = isDirect;
		this.#tracking = tracking;
		subscribe('net.client.socket', this.#opened);
		subscribe('http.client.request.created', this.#requested);
	}

	override onConnection(socket: Parameters<Server['onConnection']>[0]): void {
		super.onConnection(socket);
		if (!socket.destroyed) this.#tracking.connected(socket);
	}

	override async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { socket } = request;
		this.#newest.set(socket, response);
		const refusal = this.#tracking.began(socket);
		response.once('close', () => this.#tracking.done(socket));
		removeOwnHeaders(request);
		await this.#inProgress.run({ socket, response }, async () => {
			if (refusal) this.failRequest(request, refusal);
			else await super.onRequest(request, response);
		});
	}

	override async onConnect(...[request, socket, head]: Parameters<Server['onConnect']>): Promise<void> {
		// The tunnel would begin in the middle of an answer.
		if (this.#isAnswering(socket)) return void socket.destroy();
		const refusal = this.#tracking.began(socket);
		await this.#inProgress.run({ socket }, async () => {
			if (refusal) this.failRequest(request, refusal);
			else if (this.#isDirect) await this.#tunnel(request, socket, head);
			else await super.onConnect(request, socket, head);
		});
	}

	async #tunnel(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
		try {
			const { trgParsed, dnsLookup: lookup } = await this.prepareRequestHandling(request);
			const { hostname = '', port } = trgParsed ?? {};
			const to = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), lookup };
			openTunnel(socket, head, to, {
				failed: (error) => this.#answerUnreachable(socket, unreachable(error)),
				ended: (by) => this.#tracking.tunnelEnded(socket, by),
			});
		} catch (error) {
			this.failRequest(request, error as NodeJS.ErrnoException);
		}
	}

	/** Checks of several clients share a connection to the service, so it belongs to none of them. */
	override callPrepareRequestFunction(
		...args: Parameters<Server['callPrepareRequestFunction']>
	): ReturnType<Server['callPrepareRequestFunction']> {
		return this.#inProgress.run(undefined, () => super.callPrepareRequestFunction(...args));
	}

	/** proxy-chain has statuses of its own for what an upstream refuses. */
	override normalizeHandlerError(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
		const known = super.normalizeHandlerError(error);
		if (!(known instanceof RequestError) || known.statusCode < MAX_STATUS) return known;
		return new RequestError('The upstream proxy refuses the credentials of this proxy.', 502);
	}

	/** An answer waits until those of earlier requests are complete. */
	override failRequest(...args: Parameters<Server['failRequest']>): void {
		const response = this.#inProgress.getStore()?.response;
		if (!response || response.socket) super.failRequest(...args);
		else response.once('socket', () => super.failRequest(...args));
	}

	override onClientError(...[error, socket]: Parameters<Server['onClientError']>): void {
		if (this.#unreadable.has(socket)) return;
		this.#unreadable.add(socket);
		const answer = () => super.onClientError(error, socket);
		if (this.#isAnswering(socket)) this.#newest.get(socket)?.once('close', answer);
		else answer();
	}

	#isAnswering(socket: Socket): boolean {
		const response = this.#newest.get(socket);
		return response !== undefined && !response.writableFinished && !response.destroyed;
	}

	override sendSocketResponse(...args: Parameters<Server['sendSocketResponse']>): void {
		super.sendSocketResponse(...args);
		this.#tracking.failed(args[0]);
	}

	#answerUnreachable(socket: Socket, problem: Unreachable): void {
		this.#tracking.unreachable(socket, problem);
		this.sendSocketResponse(socket, problem.status, {}, problem.message);
	}

	override async close(closeConnections = false): Promise<void> {
		unsubscribe('net.client.socket', this.#opened);
		unsubscribe('http.client.request.created', this.#requested);
		await super.close(closeConnections);
	}

	#opened = (message: unknown): void => {
		const client = this.#inProgress.getStore()?.socket;
		if (client) this.#tracking.connecting(client, (message as { readonly socket: Socket }).socket);
	};

	#requested = (message: unknown): void => {
		const { socket, response } = this.#inProgress.getStore() ?? {};
		if (!socket) return;
		const { request } = message as { readonly request: ClientRequest };
		if (response) guardAnswer(request, response, (problem) => this.#tracking.unreachable(socket, problem));
		else guardUpstreamTunnel(request, (problem) => this.#answerUnreachable(socket, problem));
	};
}
