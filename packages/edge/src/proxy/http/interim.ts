import { type IncomingMessage, type InformationEvent, type ServerResponse, STATUS_CODES } from 'node:http';
import { fieldsToPass } from './own-headers.ts';

const continued = new WeakSet<IncomingMessage>();

/** Whether the client has sent nothing of its body, and waits for 100 Continue to do so. */
export function waitsToSend(request: IncomingMessage): boolean {
	return request.headers.expect !== undefined && !continued.has(request) && !request.readableDidRead;
}

/**
 * Passes interim answers of an origin, such as 103 Early Hints, to a client that can read them. Passes 100 Continue to a
 * client that waits for it.
 */
export function passInterim(
	request: IncomingMessage,
	response: ServerResponse,
	interim: InformationEvent,
	isLeftOut?: (name: string) => boolean,
): void {
	const { statusCode, rawHeaders, headers } = interim;
	if (response.headersSent || response.destroyed || request.httpVersion !== '1.1') return;
	if (statusCode === 100 && request.headers.expect === undefined) return;
	if (statusCode === 100) continued.add(request);
	const lines = fieldsToPass(rawHeaders, headers.connection, isLeftOut).map(([name, value]) => `${name}: ${value}\r\n`);
	request.socket.write(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n${lines.join('')}\r\n`, 'latin1');
}
