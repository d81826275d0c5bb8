import { page } from '@bursar/terminal';
import type { Finding } from '../../store/examination.ts';
import type { RunningService } from './service.ts';

const REMEDY = `Set LimitNOFILE in the unit, or ulimit -n: ${page('docs/operating/trouble.md')}`;

/** Whether the service may open as many files as its listeners may have connections. */
export function checkOpenFiles(
	service: RunningService | string,
	ownLimit: number | undefined,
	needed: number,
): Finding[] {
	const isRunning = typeof service !== 'string';
	const limit = isRunning ? service.mostFiles : ownLimit;
	if (limit === undefined)
		return [{ state: 'skipped', text: 'This system does not say how many files a process may open.' }];
	const whose = isRunning ? 'The service' : 'A process that is started from here';
	if (limit >= needed) return [{ state: 'ok', text: `${whose} may open ${limit} files, and needs ${needed} at most.` }];
	const text = `${whose} may open only ${limit} files. With all its connections it needs ${needed}.`;
	return [{ state: 'warning', text, remedy: REMEDY }];
}
