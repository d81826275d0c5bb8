import { Interrupted, NotTestable, RuleFailure } from './check-errors.ts';
import { CallError } from './http-call.ts';
import { mostCentsOf, type PlannedRule, planRules } from './plan.ts';
import { NoHttpError } from './raw-answers.ts';
import { countVerdicts, type Report, type RuleResult, redactVerdict, type Verdict } from './report.ts';
import type { Rule } from './rule.ts';
import { type OpenedRun, openRun, type ServiceUnderTest } from './service-under-test.ts';
import type { Session } from './session.ts';

export interface RunOptions extends ServiceUnderTest {
	readonly rules: readonly Rule[];
	readonly maxSpendCents: number;
	/** Ends the run early and takes balance back. */
	readonly stop: AbortSignal;
	readonly onResult: (result: RuleResult) => void;
}

/**
 * Tests the rules one after the other. Throws a `CommandError` only before anything is spent. Later, every outcome takes
 * the balance of sub-users back.
 */
export async function runRules(options: RunOptions): Promise<Report> {
	const startedAtMs = Date.now();
	const run = await openRun(options);
	const plan = planRules(options.rules, options.maxSpendCents);
	const [{ reseller, beforeCents }] = run.accounts;
	const ownedCents = run.accounts.reduce((sum, account) => sum + account.beforeCents, 0);
	const mostCents = Math.min(mostCentsOf(plan), ownedCents);
	run.say(
		`Testing ${plan.length} rules as ${reseller}, which has ${beforeCents} cents; the run spends at most ${mostCents} cents.`,
	);

	const results: RuleResult[] = [];
	const isUnanswered = await testAll(run, plan, options.stop, (result) => {
		results.push(result);
		options.onResult(result);
	});
	if (options.stop.aborted) run.say('Stopped. Taking back the balance of sub-users.');
	return {
		url: run.secrets.redact(options.baseUrl.href),
		startedAtMs,
		results,
		counts: countVerdicts(results),
		spending: { ...(await run.lastLook()), ...run.session.spending.counts, mostCents },
		isInterrupted: options.stop.aborted,
		isUnanswered,
	};
}

/** Without this, a run against a hanging service would wait for hours of time limits. */
const MOST_UNANSWERED = 3;

/**
 * Returns when no call is in progress and calls can be made again. The result is true if the service stopped
 * answering, so that the other rules were not tested.
 */
async function testAll(
	{ session, secrets }: OpenedRun,
	plan: readonly PlannedRule[],
	stop: AbortSignal,
	onResult: (result: RuleResult) => void,
): Promise<boolean> {
	const close = () => session.wire.close();
	stop.addEventListener('abort', close);
	if (stop.aborted) close();
	let unanswered = 0;
	let isDead = false;
	for (const planned of plan) {
		const { name, guarantee, source } = planned.rule;
		const startedAt = performance.now();
		const before = session.wire.counts;
		const verdict = stop.aborted ? STOPPED : isDead ? UNANSWERED : await verdictOn(session, planned);
		const { asked, answered } = session.wire.counts;
		if (answered > before.answered) unanswered = 0;
		else if (asked > before.asked) unanswered++;
		if (unanswered === MOST_UNANSWERED) {
			isDead = !(await isAnswering(session));
			unanswered = 0;
		}
		const durationMs = performance.now() - startedAt;
		onResult({ name, guarantee, source, verdict: redactVerdict(verdict, secrets), durationMs });
	}
	stop.removeEventListener('abort', close);
	await session.wire.settled();
	session.wire.open();
	return isDead && !stop.aborted;
}

/** A healthy service may leave bytes that are not HTTP without an answer, so this asks once more. */
function isAnswering({ api }: Session): Promise<boolean> {
	return api.myInfo().then(
		() => true,
		() => false,
	);
}

const STOPPED: Verdict = { kind: 'not_testable', reason: 'the run was stopped earlier' };
const UNANSWERED: Verdict = {
	kind: 'not_testable',
	reason: `the service answered nothing in ${MOST_UNANSWERED} previous rules`,
};

async function verdictOn(session: Session, planned: PlannedRule): Promise<Verdict> {
	const { needs = [] } = planned.rule;
	const { answered } = session.wire.counts;
	const verdict = await check(session, planned).then((): Verdict => ({ kind: 'passed' }), verdictOf);
	session.spending.allow(0);
	// Each rule starts with empty sub-users, even if the previous rule failed half-way. If this rule got no answer, the
	// end of the run takes back what it may have moved.
	const isMoving = needs.includes('sub-user') || needs.includes('second-reseller');
	if (isMoving && session.wire.counts.answered > answered) await session.subUsers.takeBack().catch(unlessStopped);
	return verdict;
}

/** The end of the run takes balance back again. */
function unlessStopped(error: unknown): void {
	if (!(error instanceof Interrupted)) throw error;
}

async function check(session: Session, { rule, mostCents, isAffordable }: PlannedRule): Promise<void> {
	if (!isAffordable) throw new NotTestable(`would spend ${mostCents} cents, more than --max-spend-cents leaves`);
	const neededCents = mostCents + (rule.balanceCents ?? 0);
	const balanceCents = neededCents > 0 ? await session.api.balance() : 0;
	if (balanceCents < neededCents) {
		throw new NotTestable(`needs a balance of ${neededCents} cents, but the reseller has ${balanceCents}`);
	}
	const { needs = [] } = rule;
	session.spending.allow(needs.length);
	await session.prepare(needs);
	session.spending.allow(rule.creates ?? 0);
	await rule.check(session);
}

/** Every error in a check becomes a verdict, so that the report is never lost. */
function verdictOf(error: unknown): Verdict {
	if (error instanceof NotTestable) return { kind: 'not_testable', reason: error.message };
	if (error instanceof Interrupted) return STOPPED;
	if (error instanceof RuleFailure) {
		return { kind: 'failed', what: error.message, expected: error.expected, actual: error.actual };
	}
	if (error instanceof CallError || error instanceof NoHttpError) {
		return { kind: 'failed', what: 'a call', expected: 'an answer', actual: error.message };
	}
	// Either a bug of the rule, or an answer that the rule does not expect.
	return { kind: 'failed', what: 'the check itself', expected: 'to finish', actual: String(error) };
}
