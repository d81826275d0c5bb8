import { CallError } from './http-call.ts';
import { mostCentsOf, type PlannedRule, planRules } from './plan.ts';
import { NoHttpError } from './raw-answers.ts';
import { countVerdicts, type Report, type RuleResult, redactVerdict, type Verdict } from './report.ts';
import { Interrupted, NotTestable, type Rule, RuleFailure } from './rule.ts';
import { type OpenedRun, openRun, type ServiceUnderTest } from './service-under-test.ts';
import type { Session } from './session.ts';

export interface RunOptions extends ServiceUnderTest {
	readonly rules: readonly Rule[];
	readonly maxSpendCents: number;
	/** Ends the run early, and in order. */
	readonly stop: AbortSignal;
	readonly onResult: (result: RuleResult) => void;
}

/**
 * Tests the rules, one after the other. Throws `CannotRunError` before anything was spent; from then on
 * what sub-users hold goes back to the resellers, whatever happens.
 */
export async function runRules(options: RunOptions): Promise<Report> {
	const startedAtMs = Date.now();
	const run = await openRun(options);
	const plan = planRules(options.rules, options.maxSpendCents);
	const mostCents = mostCentsOf(plan);
	const [{ reseller, beforeCents }] = run.accounts;
	run.say(
		`Testing ${plan.length} rules as ${reseller}, which has ${beforeCents} cents; at most ${mostCents} are spent.`,
	);

	const results: RuleResult[] = [];
	try {
		await testAll(run, plan, options.stop, (result) => {
			results.push(result);
			options.onResult(result);
		});
	} finally {
		if (options.stop.aborted) run.say('Stopped. What sub-users hold is being taken back.');
		await run.session.subUsers.takeBack();
	}
	return {
		url: options.baseUrl.href,
		startedAtMs,
		results,
		counts: countVerdicts(results),
		spending: { ...(await run.lastLook()), ...run.session.spending.counts, mostCents },
		isInterrupted: options.stop.aborted,
	};
}

/** When it ends, however it does, no call is under way, and calls can be made. */
async function testAll(
	{ session, secrets }: OpenedRun,
	plan: readonly PlannedRule[],
	stop: AbortSignal,
	onResult: (result: RuleResult) => void,
): Promise<void> {
	const close = () => session.wire.close();
	stop.addEventListener('abort', close);
	if (stop.aborted) close();
	try {
		for (const planned of plan) {
			const { name, guarantee, source } = planned.rule;
			const startedAt = performance.now();
			const verdict = redactVerdict(await verdictOn(session, planned), secrets);
			onResult({ name, guarantee, source, verdict, durationMs: performance.now() - startedAt });
		}
	} finally {
		stop.removeEventListener('abort', close);
		await session.wire.settled();
		session.wire.open();
	}
}

async function verdictOn(session: Session, planned: PlannedRule): Promise<Verdict> {
	const { needs = [] } = planned.rule;
	try {
		await check(session, planned);
		return { kind: 'passed' };
	} catch (error) {
		return verdictOf(error);
	} finally {
		session.spending.allow(0);
		// Each rule finds its sub-users empty, also behind one that failed half-way.
		if (needs.includes('sub-user') || needs.includes('second-reseller')) await session.subUsers.takeBack();
	}
}

async function check(session: Session, { rule, mostCents, isAffordable }: PlannedRule): Promise<void> {
	if (!isAffordable) throw new NotTestable(`would spend ${mostCents} cents, which the bound does not leave`);
	const neededCents = mostCents + (rule.balanceCents ?? 0);
	const balanceCents = neededCents > 0 ? await session.api.balance() : 0;
	if (balanceCents < neededCents) {
		throw new NotTestable(`needs a balance of ${neededCents} cents, and the reseller has ${balanceCents}`);
	}
	session.spending.allow(rule.needs?.length ?? 0);
	await session.prepare(rule);
	session.spending.allow(rule.creates ?? 0);
	await rule.check(session);
}

/** Throws what says nothing about the service: a bug of a rule. */
function verdictOf(error: unknown): Verdict {
	if (error instanceof NotTestable) return { kind: 'not_testable', reason: error.message };
	if (error instanceof Interrupted) return { kind: 'not_testable', reason: 'the run was stopped before' };
	if (error instanceof RuleFailure) {
		return { kind: 'failed', what: error.message, expected: error.expected, actual: error.actual };
	}
	if (error instanceof CallError || error instanceof NoHttpError) {
		return { kind: 'failed', what: 'a call', expected: 'an answer', actual: error.message };
	}
	throw error;
}
