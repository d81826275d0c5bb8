import { chooseRules, type RawOptions } from '../../src/options.ts';
import type { Report } from '../../src/report.ts';
import { allRules } from '../../src/rules/all.ts';
import { type RunOptions, runRules } from '../../src/run.ts';

interface Choice extends Partial<Omit<RunOptions, 'baseUrl' | 'token'>> {
	readonly choose?: RawOptions;
}

/** Runs the suite in this process, as the command line does. */
export function runSuite(url: string, token: string, { choose = {}, ...options }: Choice = {}): Promise<Report> {
	return runRules({
		baseUrl: new URL(url),
		token,
		secondToken: undefined,
		rules: chooseRules(allRules, choose),
		maxSpendCents: 2000,
		isDirect: true,
		isPatient: false,
		stop: new AbortController().signal,
		abandon: new AbortController().signal,
		say: () => {},
		onResult: () => {},
		...options,
	});
}

/** The names of the rules with that verdict. */
export function namesOf(report: Report, kind: 'passed' | 'failed' | 'not_testable'): string[] {
	return report.results.filter(({ verdict }) => verdict.kind === kind).map(({ name }) => name);
}

/** The failures of a report, for the message of a test. */
export function failuresOf(report: Report): unknown[] {
	return report.results.flatMap(({ name, verdict }) => (verdict.kind === 'failed' ? [{ name, ...verdict }] : []));
}
