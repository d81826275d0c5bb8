import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './log-level.ts';

/** Names of secrets. If a log line ever contains one, up to three objects deep, it is redacted. */
const SECRET_NAMES = [
	'authorization',
	'cookie',
	'["set-cookie"]',
	'token',
	'tokenHash',
	'proxyAuthkey',
	'proxy_authkey',
	'masterKey',
	'password',
	'keyHash',
	'key_id',
];

/** @bound Characters of the log that wait for its reader: further lines are dropped and counted. */
const MAX_WAITING_CHARACTERS = 1 << 20;

export type { DestinationStream };

/** Where log lines go. */
export interface LogOutput extends DestinationStream {
	/** How many lines have been dropped since the start. */
	droppedLines(): number;
}

/** Writes one JSON line for each event, by default to standard output. */
export function createLogger(level: LogLevel, destination: DestinationStream = logOutput(process.stdout)): Logger {
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
		destination,
	);
}

/**
 * The log must neither delay the service nor fill its memory. If its reader stalls or goes away, lines are dropped until
 * the reader has read all waiting lines. Then the log says how many were dropped.
 */
export function logOutput(stream: NodeJS.WriteStream): LogOutput {
	let dropped = 0;
	let told = 0;
	let isFull = false;

	function written(error?: Error | null): void {
		if (error) dropped++;
		if (stream.writableLength > 0) return;
		isFull = false;
		if (error || dropped === told) return;
		const line = { level: 'warn', time: new Date(), dropped: dropped - told, msg: 'lines of this log were dropped' };
		told = dropped;
		stream.write(`${JSON.stringify(line)}\n`);
	}

	return {
		write(line) {
			isFull ||= stream.writableLength + line.length > MAX_WAITING_CHARACTERS;
			if (isFull) dropped++;
			else stream.write(line, written);
		},
		droppedLines: () => dropped,
	};
}
