import { page } from '@bursar/terminal';
import type { Finding } from '../../store/examination.ts';
import { version } from '../../version.ts';
import { RUN_AS_SERVICE } from './data-folder.ts';

/** The problems of the environment, as the configuration tells them: without values. */
export function checkSettings(problems: readonly string[]): Finding[] {
	const programs = `bursar ${version} on Node ${process.version}, ${process.platform} ${process.arch}`;
	if (problems.length === 0) return [{ state: 'ok', text: `The settings can be used: ${programs}.` }];
	const remedy = `The service does not start with it. Correct it: ${page('docs/operating/settings.md')}`;
	return problems.map((text) => ({
		state: 'problem',
		text: `${text}.`,
		remedy: text.includes('(EACCES)') ? RUN_AS_SERVICE : remedy,
	}));
}

/** Whether the problems leave open which store is meant. */
export function isStoreUnknown(problems: readonly string[]): boolean {
	return problems.some((problem) => /^BURSAR_(DATABASE_URL|DATA_DIR):/.test(problem));
}

/** The same for the master key. */
export function isMasterKeyUnknown(problems: readonly string[]): boolean {
	return problems.some((problem) => problem.startsWith('BURSAR_MASTER_KEY'));
}
