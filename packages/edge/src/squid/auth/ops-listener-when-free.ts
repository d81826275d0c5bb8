import type { Logger } from 'pino';
import { type OpsListener, type OpsOptions, startOpsListener } from '../../agent/ops-listener.ts';

const TRY_AGAIN_MS = 1_000;

/**
 * Serves health and metrics as soon as the port is free. Squid starts a new helper before the old one has ended. Checks
 * must not wait for the port, nor fail because of it.
 */
export function startOpsListenerWhenFree(options: OpsOptions, logger: Logger): Pick<OpsListener, 'close'> {
	let listener: OpsListener | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isTold = false;
	let isClosed = false;
	let trying = listen();

	async function listen(): Promise<void> {
		try {
			listener = await startOpsListener(options);
			logger.info({ opsUrl: listener.url }, 'health and metrics are served');
		} catch (cause) {
			const reason = (cause as NodeJS.ErrnoException).code;
			if (!isTold) logger.warn({ reason }, 'health and metrics cannot be served yet');
			isTold = true;
			if (!isClosed) timer = setTimeout(tryAgain, TRY_AGAIN_MS).unref();
		}
	}

	function tryAgain(): void {
		trying = listen();
	}

	return {
		async close() {
			isClosed = true;
			clearTimeout(timer);
			await trying;
			await listener?.close();
		},
	};
}
