import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** @bound An answer that `bursar doctor` reads: the rest is not read. */
const MOST_BYTES = 4 * 2 ** 20;

/** A complete answer, or as much of it as is read. */
export interface HttpAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	/** When the certificate ends, in Unix milliseconds. Absent over plain http. */
	readonly certificateEndsAtMs?: number;
}

/** Sends a GET on a connection of its own, and follows no redirect. Rejects after the limit. */
export function ask(url: string, limitMs: number, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> {
	return new Promise((resolve, reject) => {
		const request = url.startsWith('https:') ? requestHttps : requestHttp;
		const signal = AbortSignal.timeout(limitMs);
		const sent = request(url, { headers, agent: false, signal }, (response) => {
			const ends = (response.socket as TLSSocket).getPeerCertificate?.().valid_to;
			let body = '';
			const done = () => {
				const { statusCode: status = 0, headers } = response;
				resolve({ status, headers, body, ...(ends && { certificateEndsAtMs: Date.parse(ends) }) });
				sent.destroy();
			};
			response.setEncoding('utf8').on('error', reject).on('end', done);
			response.on('data', (text: string) => {
				body += text;
				if (body.length > MOST_BYTES) done();
			});
		});
		sent.on('error', (cause) =>
			reject(signal.aborted ? new Error(`no answer within ${limitMs / 1_000} seconds`) : cause),
		);
		sent.end();
	});
}
