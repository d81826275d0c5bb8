import type { FastifyReply, FastifyRequest } from 'fastify';

/** The forms in which a file can be sent. All answers share these bytes. */
export interface EncodedFile {
	readonly plain: Uint8Array;
	readonly br?: Uint8Array;
	readonly gzip: Uint8Array;
}

/** Sends the smallest form of a file that the client accepts (RFC 9110, section 12.5.3). */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, file: EncodedFile): FastifyReply {
	void reply.header('vary', 'Accept-Encoding');
	const accepted = acceptedEncodings(request.headers['accept-encoding'] ?? '');
	const encoding = (['br', 'gzip'] as const).find((name) => file[name] && accepted.includes(name));
	return encoding ? reply.header('content-encoding', encoding).send(file[encoding]) : reply.send(file.plain);
}

function acceptedEncodings(header: string): readonly string[] {
	return header
		.toLowerCase()
		.split(',')
		.filter((part) => !REFUSED.test(part))
		.map((part) => part.split(';', 1)[0]?.trim() ?? '');
}

const REFUSED = /;\s*q=0(?:\.0*)?\s*$/;
