const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The level with this name. Throws if there is none. */
export function readLogLevel(text: string): LogLevel {
	const level = LOG_LEVELS.find((known) => known === text);
	if (!level) throw new Error(`it must be one of ${LOG_LEVELS.join(', ')}`);
	return level;
}
