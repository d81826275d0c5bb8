import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config.ts';

/** Names under which secrets travel: redacted should a log line ever carry one, up to three objects deep. */
const SECRET_NAMES = [
	'authorization',
	'cookie',
	'["set-cookie"]',
	'token',
	'tokenHash',
	'proxyAuthkey',
	'proxy_authkey',
	'masterKey',
];

/** One JSON line for each event, on standard output. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
	return pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			redact: {
				paths: SECRET_NAMES.flatMap((name) => {
					const dotted = name.startsWith('[') ? name : `.${name}`;
					return [name, `*${dotted}`, `*.*${dotted}`, `*.*.*${dotted}`];
				}),
				censor: '[redacted]',
			},
		},
		destination ?? pino.destination(1),
	);
}
