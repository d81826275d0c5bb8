import { setTimeout as delay } from 'node:timers/promises';
import { onSignals, standardError, standardOutput } from '@bursar/terminal';
import { serviceNotifier } from '@bursar/terminal/systemd';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../../config.ts';
import type { Service, ServiceParts } from '../../service.ts';
import { offerClaim } from '../offer-claim.ts';
import { printResult } from '../output.ts';

/**
 * The process ends after this time even if something still keeps it running.
 * @bound The whole stop of the service: then the process ends.
 */
const STOP_LIMIT_MS = 9_500;
/** How long the reader of our output may take to read the rest of it. */
const LAST_OUTPUT_MS = 1_000;

/** `bursar serve`: runs the service until it is told to stop. */
export function serveCommand(): Command {
	const command = new Command('serve').description('run the service until SIGTERM or SIGINT; SIGHUP does nothing');
	command
		.addHelpText('after', '\nExample:\n  $ BURSAR_PORT=8080 bursar serve\n')
		.action(async ({ json }: { json?: boolean }) => {
			const config = readConfig(process.env);
			// A service goes on when the terminal from which it was started is closed. Node undoes what nohup does.
			process.on('SIGHUP', () => {});
			const { service, logger } = await startLogged(config, json);
			const systemd = serviceNotifier(process.env, (err) => logger.error({ err }, 'systemd could not be notified'));
			const stop = () => {
				systemd.stopping();
				return service.stop();
			};
			await showUntilStopped({ ...service, stop }, logger, async () => {
				systemd.ready();
				const { url, opsUrl, operatorUrl, edgeUrl } = service;
				logger.info({ url, opsUrl, operatorUrl, edgeUrl }, 'ready');
				const others = { operator_url: operatorUrl ?? null, edge_url: edgeUrl ?? null };
				if (json) await printResult({ url, ops_url: opsUrl, ...others }, json);
				await offerClaim(service, config, logger, json);
			});
		});
	return command;
}

/**
 * Starts the service and its log. The log goes to standard output, or with `--json` to standard error, because standard
 * output then has only one object. The parts of the service are loaded here, so that other commands start quickly.
 */
export async function startLogged(
	config: Config,
	asJson: boolean | undefined,
	parts: Pick<ServiceParts, 'proxyUrls'> = {},
) {
	const [{ startService }, { createLogger, logOutput }] = await Promise.all([
		import('../../service.ts'),
		import('@bursar/terminal/logger'),
	]);
	const output = logOutput(asJson ? standardError() : standardOutput());
	const logger = createLogger(config.logLevel, output);
	return { service: await startService(config, logger, { ...parts, droppedLogLines: output.droppedLines }), logger };
}

/**
 * Calls `show`, and waits for a signal or for the service to fail. Then stops the service within ten seconds and ends
 * the process. If `show` fails, stops the service and throws the error.
 */
export async function showUntilStopped(service: Service, logger: Logger, show: () => Promise<void>): Promise<void> {
	// Set up before `show`, because its reader may send a signal at once.
	const ending = Promise.race([
		new Promise<number>((resolve) => onSignals(['SIGTERM', 'SIGINT'], () => resolve(0))),
		service.failed.then((err) => {
			logger.fatal({ err }, 'the service cannot go on');
			return 1;
		}),
	]);
	const shown = show().catch(async (cause) => {
		await service.stop();
		throw cause;
	});
	const exitCode = await Promise.race([ending, shown.then(() => ending)]);
	logger.info({ failed: exitCode !== 0 }, 'stopping');
	setTimeout(() => process.exit(exitCode), STOP_LIMIT_MS).unref();
	try {
		await service.stop();
		logger.info('stopped');
		process.exitCode = exitCode;
	} catch (err) {
		logger.error({ err }, 'the service did not stop cleanly');
		process.exitCode = 1;
	}
	await outputWritten();
	process.exit();
}

/** Waits until the output has been read, or the time is up: a reader that stalls must not keep the process running. */
async function outputWritten(): Promise<void> {
	const taken = [standardOutput(), standardError()].map(
		(stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
	);
	await Promise.race([Promise.all(taken), delay(LAST_OUTPUT_MS)]);
}
