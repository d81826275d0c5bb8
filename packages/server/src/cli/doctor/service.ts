import { page } from '@bursar/terminal';
import type { Config } from '../../config.ts';
import type { Finding } from '../../store/examination.ts';
import { version } from '../../version.ts';
import { ask } from './ask.ts';

/** A service that answers on the operations port. */
export interface RunningService {
	readonly version: string | undefined;
	/** How many files it may open. */
	readonly mostFiles: number | undefined;
	/** The answer of `/readyz`. */
	readonly ready: string;
	readonly isReady: boolean;
}

const LIMIT_MS = 5_000;
/** Another program may answer at the address. */
const MOST_CHARACTERS = 200;
const PAGE = page('docs/operating/trouble.md');

/** What answers on the operations port of the settings; the reason if nothing does. */
export async function findService(config: Config): Promise<RunningService | string> {
	const url = opsUrl(config);
	try {
		const [live, ready, metrics] = await Promise.all(
			['/livez', '/readyz', '/metrics'].map((path) => ask(`${url}${path}`, LIMIT_MS)),
		);
		if (live?.body !== 'alive\n') return `something else answers at ${url}`;
		const figure = (pattern: RegExp) => pattern.exec(metrics?.body ?? '')?.[1];
		const mostFiles = figure(/^process_max_fds (\d+)$/m);
		return {
			version: figure(/^bursar_build_info\{[^}]*version="([^"]*)"/m)?.slice(0, MOST_CHARACTERS),
			mostFiles: mostFiles === undefined ? undefined : Number(mostFiles),
			ready: ready?.body.trim().slice(0, MOST_CHARACTERS) ?? '',
			isReady: ready?.status === 200,
		};
	} catch (cause) {
		return `${url} does not answer (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message})`;
	}
}

/** A listener on all addresses is asked on this machine's own. */
function opsUrl({ opsHost, opsPort }: Config): string {
	const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[opsHost] ?? opsHost;
	return `http://${host.includes(':') ? `[${host}]` : host}:${opsPort}`;
}

/** Whether the service runs, is ready, and is of this version. `servedBy` is who holds an embedded store. */
export function checkService(service: RunningService | string, servedBy: string | undefined): Finding[] {
	if (typeof service === 'string') {
		const text = `No service was found: ${service}.`;
		if (servedBy === undefined) {
			const how = page('docs/operating/install.md', 'Run it under systemd');
			return [{ state: 'warning', text, remedy: `Start it, and look at its log: ${how}` }];
		}
		const hung = `A service has the store (${servedBy}), but ${service}.`;
		const remedy = `Check BURSAR_OPS_HOST and BURSAR_OPS_PORT. If they are right, the service hangs: ${PAGE}`;
		return [{ state: 'problem', text: hung, remedy }];
	}
	const found: Finding[] = [readyFinding(service)];
	if (service.version !== version) {
		const text = `The service runs version ${service.version ?? 'unknown'}, and this program is ${version}.`;
		found.push({ state: 'warning', text, remedy: `Restart the service: ${page('docs/operating/upgrade.md')}` });
	}
	return found;
}

function readyFinding({ ready, isReady }: RunningService): Finding {
	if (!isReady) return { state: 'problem', text: `The service runs, but is ${ready}.`, remedy: PAGE };
	if (ready !== 'ready') return { state: 'warning', text: `The service is ${ready}.`, remedy: PAGE };
	return { state: 'ok', text: `The service runs and is ready.` };
}
