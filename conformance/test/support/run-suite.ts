import { chooseRules, type RawOptions } from '../../src/options.ts';
import { allRules } from '../../src/rules/all.ts';
import { type Outcome, openRun, type RunOptions } from '../../src/run/run.ts';
import type { Verdict } from '../../src/run/verdict.ts';

interface Choice extends Partial<Omit<RunOptions, 'baseUrl' | 'token' | 'heldTo'>> {
	readonly choose?: RawOptions;
}

/** The verdicts and the outcome of a run. */
export interface Report {
	readonly results: readonly { readonly name: string; readonly verdict: Verdict }[];
	readonly outcome: Outcome;
}

/** Runs the suite in this process. */
export async function runSuite(url: string, token: string, { choose = {}, ...options }: Choice = {}): Promise<Report> {
	const run = await openRun({
		baseUrl: new URL(url),
		token,
		secondToken: undefined,
		rules: chooseRules(allRules, choose),
		heldTo: choose.contract ? 'contract' : 'bursar',
		maxSpendCents: 2000,
		isDirect: true,
		isPatient: false,
		stop: new AbortController().signal,
		abandon: new AbortController().signal,
		say: () => {},
		...options,
	});
	const results: { readonly name: string; readonly verdict: Verdict }[] = [];
	for (const planned of run.plan) results.push({ name: planned.rule.name, verdict: await run.test(planned) });
	return { results, outcome: await run.end() };
}

/** The names of the rules with that verdict. */
export function namesOf({ results }: Report, kind: Verdict['kind']): string[] {
	return results.filter(({ verdict }) => verdict.kind === kind).map(({ name }) => name);
}

/** The failures of a report, for the message of a test. */
export function failuresOf({ results }: Report): unknown[] {
	return results.flatMap(({ name, verdict }) => (verdict.kind === 'failed' ? [{ name, ...verdict }] : []));
}
