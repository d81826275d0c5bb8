import { type ChildProcess, spawn } from 'node:child_process';

/** Reports the state of a service to systemd. */
export interface ServiceNotifier {
	/** The service can serve requests. From now on, systemd also hears regularly that it still runs. */
	ready(): void;
	/** The service stops. */
	stopping(): void;
}

/** @bound A notification to systemd: it is given up. */
const NOTIFY_LIMIT_MS = 10_000;

/**
 * Notifies systemd if a unit with `Type=notify` started this process, and does nothing otherwise. With `WatchdogSec`,
 * systemd restarts a service whose event loop stands still. Node cannot send to systemd's socket, so `systemd-notify`
 * does, and the unit needs `NotifyAccess=all`. A package with a native part would need a build for each platform, and a
 * shell around the service would have to pass signals on. `failed` is called if `systemd-notify` cannot be run.
 */
export function serviceNotifier(
	{ NOTIFY_SOCKET, PATH, WATCHDOG_USEC, WATCHDOG_PID }: Readonly<Record<string, string | undefined>>,
	failed: (cause: Error) => void,
): ServiceNotifier {
	if (!NOTIFY_SOCKET) return { ready() {}, stopping() {} };
	const isWatched = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid;
	const watchdogMs = isWatched ? Number(WATCHDOG_USEC ?? 0) / 1_000 : 0;
	let telling: ChildProcess | undefined;
	let timer: NodeJS.Timeout | undefined;

	function tell(...args: readonly string[]): void {
		// It gets no other variable, because our environment has secrets.
		const child = spawn('systemd-notify', args, {
			env: { NOTIFY_SOCKET, ...(PATH && { PATH }) },
			stdio: 'ignore',
			timeout: NOTIFY_LIMIT_MS,
		});
		child.unref();
		child.once('error', failed);
		telling = child;
	}

	return {
		ready() {
			tell('--ready');
			if (watchdogMs === 0) return;
			const tellAlive = () => {
				if (telling?.exitCode !== null || telling.signalCode !== null) tell('WATCHDOG=1');
			};
			timer = setInterval(tellAlive, watchdogMs / 3).unref();
		},
		stopping() {
			clearInterval(timer);
			tell('STOPPING=1');
		},
	};
}
