import { createLogger, type LogOutput, logOutput } from '@bursar/terminal/logger';
import type { Logger } from 'pino';
import { createEdgeClient, type EdgeClient } from './edge-client.ts';
import { type AgentSettings, readAgentSettings } from './settings.ts';

/** What every command of `bursar-edge` starts with. */
export interface Agent {
	readonly settings: AgentSettings;
	readonly client: EdgeClient;
	readonly logger: Logger;
	/** Where it writes its log. */
	readonly lines: LogOutput;
	/** How many lines the log has dropped. */
	droppedLogLines(): number;
}

/**
 * Reads the settings and makes the client and the log, which goes to `output`. `process` is the name of this process, if
 * the edge has several. Throws `UsageError`.
 */
export function createAgent(environment: NodeJS.ProcessEnv, output: NodeJS.WriteStream, process?: string): Agent {
	const settings = readAgentSettings(environment);
	const lines = logOutput(output);
	const logger = createLogger(settings.logLevel, lines);
	return {
		settings,
		client: createEdgeClient({ ...settings, process }),
		logger,
		lines,
		droppedLogLines: lines.droppedLines,
	};
}
