import { endpoints } from '@bursar/contract';
import type { Bugs } from '../support/bug.ts';

/** An answer in the form of other software. */
const BARE = (status: number) => `HTTP/1.1 ${status} Error\r\nContent-Length: 3\r\n\r\nno\n`;
const WITHOUT_ENVELOPE = [
	'every-answer.error-code',
	'every-answer.expiry',
	'every-answer.change-id',
	'every-answer.json-object',
	'every-answer.no-store',
	'every-answer.request-id',
];

/** Bugs with invalid HTTP, and on connections with several requests. */
export const connectionBugs: Bugs = {
	'invalid HTTP is answered without the envelope': {
		failing: [...WITHOUT_ENVELOPE, 'http.no-host', 'http.no-http'],
		difference: () => ({ bytes: () => (text) => (text.startsWith('HTTP/1.1 400 ') ? BARE(400) : text) }),
	},
	'headers that are too large are answered without the envelope': {
		failing: [...WITHOUT_ENVELOPE, 'http.large-headers'],
		difference: () => ({ bytes: () => (text) => (text.startsWith('HTTP/1.1 431 ') ? BARE(431) : text) }),
	},
	'an unmet expectation is answered without the envelope, and costs nothing': {
		failing: [...WITHOUT_ENVELOPE, 'http.unmet-expectation', 'http.unmet-expectation-of-create', 'spending.every-cent'],
		difference: () => ({ answerBytes: (sent) => (sent.includes('Expect: money') ? BARE(417) : undefined) }),
	},
	'CONNECT succeeds': {
		failing: ['every-answer.success-is-200', 'http.connect'],
		perhaps: ['every-answer.allow', ...WITHOUT_ENVELOPE],
		difference: {
			answerBytes: (sent) => (sent.startsWith('CONNECT') ? 'HTTP/1.1 201 Connected\r\n\r\n' : undefined),
		},
	},
	'HEAD answers with another status than GET': {
		failing: ['connections.head'],
		perhaps: ['every-answer.success-is-200'],
		difference: {
			bytes(sent) {
				let answers = 0;
				const change = (line: string) => (++answers === 1 ? 'HTTP/1.1 204' : line);
				return (text) =>
					sent.startsWith(`HEAD ${endpoints.myInfo.path}`) ? text.replace(/HTTP\/1\.1 200/g, change) : text;
			},
		},
	},
	'HEAD is answered with a body, and the connection is closed after it': {
		failing: ['connections.head'],
		difference: {
			answerBytes: (sent) =>
				sent.startsWith(`HEAD ${endpoints.myInfo.path}`)
					? 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}'
					: undefined,
		},
	},
	'the second request on a connection is answered 400': {
		failing: ['connections.kept-connection'],
		perhaps: ['data-on-failure', 'error-code', 'message-on-failure', 'status-repeated'].map(
			(name) => `every-answer.${name}`,
		),
		difference: {
			bytes(sent) {
				let answers = 0;
				const change = (line: string) => (++answers === 2 ? 'HTTP/1.1 400' : line);
				return (text) =>
					sent.startsWith(`GET ${endpoints.myInfo.path}`) ? text.replace(/HTTP\/1\.1 200/g, change) : text;
			},
		},
	},
	'pipelined requests are answered in another order': {
		failing: ['connections.pipelining'],
		difference: {
			bytes(sent) {
				const requests = sent.split(' HTTP/1.1\r\n').length - 1;
				if (requests < 5) return (text) => text;
				let received = '';
				return (text) => {
					received += text;
					const answers = received.split(/(?=HTTP\/1\.1 )/);
					const isWhole = answers.length === requests && received.endsWith('}');
					return isWhole ? answers.reverse().join('') : '';
				};
			},
		},
	},
};
