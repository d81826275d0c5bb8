import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server, type ServerOptions } from 'proxy-chain';
import { guardAnswer } from './guard-answer.ts';

/** Called at the points of a request at which proxy-chain itself calls nothing. */
export interface RequestTracking {
	connected(socket: Socket): void;
	/** A request has begun, before anything was read from it. */
	began(socket: Socket): void;
	/** A request without tunnel and its answer are complete. */
	done(socket: Socket): void;
	/** A request was refused, or could not be read. The connection is being closed. */
	failed(socket: Socket): void;
	/** A connection to an origin or an upstream begins, for the request of this client. */
	connecting(client: Socket, target: Socket): void;
}

/** A proxy-chain server that tells about its requests, and about each socket that it opens for them. */
export class TrackedServer extends Server {
	readonly #tracking: RequestTracking;
	readonly #client = new AsyncLocalStorage<Socket | undefined>();

	constructor(options: ServerOptions, tracking: RequestTracking) {
		super(options);
		this.#tracking = tracking;
		subscribe('net.client.socket', this.#opened);
		subscribe('http.client.request.created', this.#requested);
	}

	override onConnection(socket: Parameters<Server['onConnection']>[0]): void {
		super.onConnection(socket);
		if (!socket.destroyed) this.#tracking.connected(socket);
	}

	override onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { socket } = request;
		this.#tracking.began(socket);
		response.once('close', () => this.#tracking.done(socket));
		return this.#client.run(socket, () => super.onRequest(request, response));
	}

	override onConnect(...args: Parameters<Server['onConnect']>): Promise<void> {
		const [, socket] = args;
		this.#tracking.began(socket);
		return this.#client.run(socket, () => super.onConnect(...args));
	}

	/** Checks of several clients share a connection to the service, so it belongs to none of them. */
	override callPrepareRequestFunction(
		...args: Parameters<Server['callPrepareRequestFunction']>
	): ReturnType<Server['callPrepareRequestFunction']> {
		return this.#client.run(undefined, () => super.callPrepareRequestFunction(...args));
	}

	override sendSocketResponse(...args: Parameters<Server['sendSocketResponse']>): void {
		super.sendSocketResponse(...args);
		this.#tracking.failed(args[0]);
	}

	override async close(closeConnections = false): Promise<void> {
		unsubscribe('net.client.socket', this.#opened);
		unsubscribe('http.client.request.created', this.#requested);
		await super.close(closeConnections);
	}

	#opened = (message: unknown): void => {
		const client = this.#client.getStore();
		if (client) this.#tracking.connecting(client, (message as { readonly socket: Socket }).socket);
	};

	#requested = (message: unknown): void => {
		if (this.#client.getStore()) guardAnswer((message as { readonly request: ClientRequest }).request);
	};
}
