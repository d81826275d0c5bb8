import { randomInt } from 'node:crypto';
import { usd } from '@bursar/terminal';
import { Interrupted, NotTestable } from '../expect.ts';
import { answerRules } from '../rules/every-answer.ts';
import type { Basis } from '../wire/answer.ts';
import { createWatch } from '../wire/answer-watch.ts';
import { createResellerApi } from '../wire/reseller-api.ts';
import { createSecrets } from '../wire/secrets.ts';
import { createWire } from '../wire/wire.ts';
import { type AccountReport, cannotRun, firstLook, lastLook } from './accounts.ts';
import { mostCentsOf, type PlannedRule, planRules } from './plan.ts';
import type { Rule } from './rule.ts';
import { createSession, type Session } from './session.ts';
import { createSpending, type SpendingCounts } from './spending.ts';
import { createSubUsers, type LeftBehind } from './sub-users.ts';
import { STOPPED, safeText, safeVerdict, type Verdict, verdictOf } from './verdict.ts';

/** The service, the tokens for it, and how the suite may test it. */
export interface RunOptions {
	readonly baseUrl: URL;
	readonly token: string;
	/** The token of another reseller. */
	readonly secondToken: string | undefined;
	readonly rules: readonly Rule[];
	/** What the answers are held to: only to what the contract states, or also to what Bursar settles beyond it. */
	readonly heldTo: Basis;
	readonly maxSpendCents: number;
	/** Whether no proxy in front of the service answers requests itself. */
	readonly isDirect: boolean;
	/** Whether rules that take a minute are tested. */
	readonly isPatient: boolean;
	/** Ends the run early and takes balance back. */
	readonly stop: AbortSignal;
	/** Ends the run at once: breaks off calls in progress, and leaves balance on the sub-users. */
	readonly abandon: AbortSignal;
	/** Shows a progress line during the run. */
	readonly say: (line: string) => void;
}

/** A run that has read the balances, and has spent nothing yet. */
export interface Run {
	/** The rules, to be tested one after the other. */
	readonly plan: readonly PlannedRule[];
	/** The most that the run can spend, in USD cents. */
	readonly mostCents: number;
	/** Tests a rule. The verdict contains no secrets. */
	test(planned: PlannedRule): Promise<Verdict>;
	/** Takes the balance of sub-users back, and says what the run has cost. */
	end(): Promise<Outcome>;
}

/** What a run has cost and left behind. It contains no secrets. */
export interface Outcome extends SpendingCounts {
	/** The highest possible cost in cents, and not more than the resellers had. */
	readonly mostCents: number;
	readonly accounts: readonly AccountReport[];
	/** The names of the sub-users of the run begin with this, except one. */
	readonly prefix: string;
	/** Sub-users that still hold balance. */
	readonly leftBehind: readonly LeftBehind[];
	/** Whether a signal stopped the run before the last rule. */
	readonly isInterrupted: boolean;
	/** Whether the other rules were not tested because the service stopped answering. */
	readonly isUnanswered: boolean;
}

/** Without this, a run against a hanging service would wait for hours of time limits. */
const MOST_UNANSWERED = 3;

/** Says what the run may spend, and spends nothing. Throws a `CommandError` if the service cannot be tested. */
export async function openRun(options: RunOptions): Promise<Run> {
	const { baseUrl, token, secondToken, heldTo, stop, abandon } = options;
	const tokens = secondToken === undefined ? [token] : [token, secondToken];
	const secrets = createSecrets(tokens);
	const say = (line: string) => options.say(safeText(line, secrets));
	const watch = createWatch(answerRules, tokens);
	const spending = createSpending(heldTo);
	const wire = createWire({ baseUrl, heldTo, secrets, spending, watch, abandon });
	const look = (token: string) => firstLook(createResellerApi(wire, token), baseUrl, secrets);
	const account = await look(token);
	const second = secondToken === undefined ? undefined : await look(secondToken);
	if (account.reseller === second?.reseller) {
		throw cannotRun('both tokens belong to the same reseller: give the token of another one');
	}
	const accounts = second === undefined ? [account] : [account, second];
	const subUsers = createSubUsers(newPrefix(), say);
	const { isDirect, isPatient } = options;
	const parts = { baseUrl, heldTo, wire, watch, spending, subUsers, account, second, isDirect, isPatient };
	const session = createSession(parts);

	const plan = planRules(options.rules, options.maxSpendCents);
	const ownedCents = accounts.reduce((sum, { beforeCents }) => sum + beforeCents, 0);
	const mostCents = Math.min(mostCentsOf(plan), ownedCents);
	const { reseller, beforeCents } = account;
	say(
		`Testing ${plan.length} rules as ${reseller}, which has ${usd(beforeCents)} USD. The run spends up to ${usd(mostCents)} USD of it on fees.`,
	);

	const close = () => wire.close();
	stop.addEventListener('abort', close);
	if (stop.aborted) close();
	let unanswered = 0;
	let isDead = false;
	return {
		plan,
		mostCents,
		async test(planned) {
			if (stop.aborted) return STOPPED;
			if (isDead) return UNANSWERED;
			const before = wire.counts;
			const verdict = await verdictOn(session, planned);
			const { asked, answered } = wire.counts;
			if (answered > before.answered) unanswered = 0;
			else if (asked > before.asked) unanswered++;
			if (unanswered === MOST_UNANSWERED) {
				isDead = !(await isAnswering(session));
				unanswered = 0;
			}
			return safeVerdict(verdict, secrets);
		},
		async end() {
			stop.removeEventListener('abort', close);
			await wire.settled();
			wire.open();
			if (stop.aborted) say('Stopped. Taking back the balance of sub-users.');
			const leftBehind = await subUsers.takeBack();
			return {
				...spending.counts,
				mostCents,
				leftBehind,
				accounts: await Promise.all(accounts.map((account) => lastLook(account, secrets))),
				prefix: subUsers.prefix,
				isInterrupted: stop.aborted,
				isUnanswered: isDead && !stop.aborted,
			};
		},
	};
}

/** A healthy service may leave bytes that are not HTTP without an answer, so this asks once more. */
function isAnswering({ api }: Session): Promise<boolean> {
	return api.myInfo().then(
		() => true,
		() => false,
	);
}

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

/** Names with this prefix show where they come from, and are very likely unused. */
function newPrefix(): string {
	const random = randomInt(36 ** 6).toString(36);
	return `conf${random.padStart(6, '0')}`;
}
