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
	/** Ends the run early, and in order. */
	readonly stop: AbortSignal;
	readonly onResult: (result: RuleResult) => void;
}

/**
 * Tests the rules, one after the other. Throws a `CommandError` before anything was spent; from then on
 * what sub-users hold goes back to the resellers, whatever happens.
 */
export async function runRules(options: RunOptions): Promise<Report> {
	const startedAtMs = Date.now();
	const run = await openRun(options);
	const plan = planRules(options.rules, options.maxSpendCents);
	const [{ reseller, beforeCents }] = run.accounts;
	const ownedCents = run.accounts.reduce((sum, account) => sum + account.beforeCents, 0);
	const mostCents = Math.min(mostCentsOf(plan), ownedCents);
	run.say(
		`Testing ${plan.length} rules as ${reseller}, which has ${beforeCents} cents; at most ${mostCents} are spent.`,
	);

	const results: RuleResult[] = [];
	const isUnanswered = await testAll(run, plan, options.stop, (result) => {
		results.push(result);
		options.onResult(result);
	});
	if (options.stop.aborted) run.say('Stopped. What sub-users hold is being taken back.');
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

/** A service that hangs would take hours of time limits otherwise. */
const MOST_UNANSWERED = 3;

/**
 * When it ends, however it does, no call is under way, and calls can be made. Tells whether the service answered
 * nothing any more: then the rest of the rules was not tested.
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

/** What is no HTTP may be left without an answer by a service that answers everything else. */
function isAnswering({ api }: Session): Promise<boolean> {
	return api.myInfo().then(
		() => true,
		() => false,
	);
}

const STOPPED: Verdict = { kind: 'not_testable', reason: 'the run was stopped before' };
const UNANSWERED: Verdict = {
	kind: 'not_testable',
	reason: `the service had answered nothing in ${MOST_UNANSWERED} rules before`,
};

async function verdictOn(session: Session, planned: PlannedRule): Promise<Verdict> {
	const { needs = [] } = planned.rule;
	const { answered } = session.wire.counts;
	const verdict = await check(session, planned).then((): Verdict => ({ kind: 'passed' }), verdictOf);
	session.spending.allow(0);
	// Each rule finds its sub-users empty, also behind one that failed half-way. One without an answer moved nothing
	// that is known of; should it have, that is taken back at the end.
	const isMoving = needs.includes('sub-user') || needs.includes('second-reseller');
	if (isMoving && session.wire.counts.answered > answered) await session.subUsers.takeBack().catch(unlessStopped);
	return verdict;
}

/** What is not taken back now is taken back at the end. */
function unlessStopped(error: unknown): void {
	if (!(error instanceof Interrupted)) throw error;
}

async function check(session: Session, { rule, mostCents, isAffordable }: PlannedRule): Promise<void> {
	if (!isAffordable) throw new NotTestable(`would spend ${mostCents} cents, which the bound does not leave`);
	const neededCents = mostCents + (rule.balanceCents ?? 0);
	const balanceCents = neededCents > 0 ? await session.api.balance() : 0;
	if (balanceCents < neededCents) {
		throw new NotTestable(`needs a balance of ${neededCents} cents, and the reseller has ${balanceCents}`);
	}
	const { needs = [] } = rule;
	session.spending.allow(needs.length);
	await session.prepare(needs);
	session.spending.allow(rule.creates ?? 0);
	await rule.check(session);
}

/** Whatever happens in a check is a verdict: a report that is lost says less than one with an odd failure in it. */
function verdictOf(error: unknown): Verdict {
	if (error instanceof NotTestable) return { kind: 'not_testable', reason: error.message };
	if (error instanceof Interrupted) return STOPPED;
	if (error instanceof RuleFailure) {
		return { kind: 'failed', what: error.message, expected: error.expected, actual: error.actual };
	}
	if (error instanceof CallError || error instanceof NoHttpError) {
		return { kind: 'failed', what: 'a call', expected: 'an answer', actual: error.message };
	}
	// Either a bug of the rule, or an answer that the rule has not thought of.
	return { kind: 'failed', what: 'the check itself', expected: 'to come to its end', actual: String(error) };
}
