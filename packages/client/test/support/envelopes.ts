import { type ErrorCode, errors, failureEnvelope } from '@bursar/contract';

/** The service's answer for an error code, with further headers. */
export function envelopeOf(code: ErrorCode, headers: Readonly<Record<string, string>> = {}): Response {
	return Response.json(failureEnvelope(code, Date.now()), {
		status: errors[code].status,
		headers: { 'X-Error-Code': code, 'X-Request-Id': 'req-test', ...headers },
	});
}
