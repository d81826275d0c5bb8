import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { TransferRow } from '@bursar/testing/stored-books';
import type { Creation, ReplacedAuthKey, Transfer } from '../../src/index.ts';
import type { Operation } from './client-operations.ts';
import { FIRST_AMOUNT_CENTS } from './reseller-accounts.ts';
import { changePath, type Evidence, strayTransfers, type Verdict } from './verdicts.ts';

/** A wrong report. It has a name, so that a test can say which problem it expects. */
export interface Problem {
	readonly name:
		| 'done_twice'
		| 'done_yet_not_applied'
		| 'not_done_yet_applied'
		| 'wrong_fee'
		| 'wrong_answer'
		| 'wrong_key'
		| 'stray_transfer'
		| 'unfounded'
		| 'unanswered';
	readonly what: unknown;
}

/** Everything that contradicts the client's promises. A call that took `patienceMs` may have run out of time. */
export function problemsOf(
	verdicts: readonly Verdict[],
	evidence: Evidence,
	authKeysBefore: ReadonlyMap<string, string>,
	patienceMs: number,
): Problem[] {
	const balances = balancesAfter(evidence.transfers);
	const names = (verdict: Verdict): (Problem['name'] | false)[] => [
		timesProblem(verdict) ?? false,
		(isFeeWrong(verdict) || isFeeVague(verdict)) && 'wrong_fee',
		isAnswerWrong(verdict, balances) && 'wrong_answer',
		isUnfounded(verdict, patienceMs) && 'unfounded',
		verdict.passages.some(({ wasSent, answer }) => wasSent && answer === undefined) && 'unanswered',
	];
	return [
		...verdicts.flatMap((verdict) =>
			names(verdict).flatMap((name): Problem[] => (name ? [{ name, what: JSON.stringify(verdict) }] : [])),
		),
		...strayTransfers(verdicts, evidence).map((what): Problem => ({ name: 'stray_transfer', what })),
		...wrongKeys(verdicts, evidence, authKeysBefore).map((what): Problem => ({ name: 'wrong_key', what })),
	];
}

function timesProblem({ operation: { kind, report }, times }: Verdict): Problem['name'] | undefined {
	if (times > 1) return 'done_twice';
	if (report.kind === 'unknown') return undefined;
	const isMeantToChange = report.kind === 'done' && kind !== 'create_owned';
	if (isMeantToChange && times === 0) return 'done_yet_not_applied';
	return !isMeantToChange && times === 1 ? 'not_done_yet_applied' : undefined;
}

function isFeeWrong({ operation, paidCents, reportedFee }: Verdict): boolean {
	const { minCents, maxCents } = reportedFee;
	const isWithin = minCents <= paidCents && paidCents <= maxCents && maxCents <= CREATE_FEE_CENTS;
	return !isWithin || (operation.kind === 'create_owned' && maxCents > 0);
}

/** By the id of a create, the client knows its fee, unless it does not know the outcome. */
function isFeeVague({ operation: { report }, reportedFee }: Verdict): boolean {
	return report.kind !== 'unknown' && reportedFee.minCents !== reportedFee.maxCents;
}

/** Whether an operation that was done reports a wrong result. */
function isAnswerWrong(
	{ operation: { kind, username, report }, moves }: Verdict,
	balances: ReadonlyMap<number, number>,
): boolean {
	if (report.kind !== 'done') return false;
	switch (kind) {
		case 'give':
		case 'take':
			return (
				moves.length === 1 && (report.what as Transfer).balanceCents !== balances.get((moves[0] as TransferRow).id)
			);
		case 'create':
		case 'create_owned': {
			const { created, subUser } = report.what as Creation;
			return created !== (kind === 'create') || subUser.username !== username;
		}
		default:
			// `create_taken` and `take_too_much` are never done. `wrongKeys` checks the keys of all resets together.
			return kind !== 'reset';
	}
}

/**
 * Whether an operation reports less than it could know. If every answer arrived, nothing is in doubt. Otherwise the client
 * can look until the time is over, unless something other than the service answers a look with 404.
 */
function isUnfounded({ operation }: Verdict, patienceMs: number): boolean {
	const { kind, report, requests, tookMs, givenUpAfterMs = patienceMs } = operation;
	// The abort timer may fire a little early.
	const hadTime = tookMs < givenUpAfterMs - 5;
	const lost = requests.filter(({ wasAnswered }) => !wasAnswered);
	const lostChanges = lost.filter(({ path }) => path === changePath(kind));
	const couldNotLook = lost.some(({ path, status }) => path !== changePath(kind) && status === 404);
	switch (report.kind) {
		case 'unknown':
			return lostChanges.length === 0 || (!couldNotLook && hadTime);
		case 'not_done':
			return lost.length === 0 && hadTime;
		case 'done':
			if (kind === 'create_owned') return false;
			if (report.what.confirmedBy === 'answer')
				return !requests.some(({ path, wasAnswered }) => wasAnswered && path === changePath(kind));
			return lostChanges.length === 0;
		case 'refused':
			return false;
		case 'given_up':
			return hadTime;
	}
}

/**
 * The sub-users whose key is not the key of their last successful reset. A reset whose outcome is unknown may
 * have set a new key, at any later time. Resets of one sub-user never overlap, so they ended in order.
 */
function wrongKeys(
	verdicts: readonly Verdict[],
	{ subUsers }: Evidence,
	authKeysBefore: ReadonlyMap<string, string>,
): string[] {
	const resets = Map.groupBy(
		verdicts.map(({ operation }) => operation).filter(({ kind }) => kind === 'reset'),
		({ username }) => username,
	);
	return [...authKeysBefore.keys()].filter((username) => {
		const retired = new Set<string>();
		let key = authKeysBefore.get(username) as string;
		let mayBeNew = false;
		for (const { report } of resets.get(username) ?? ([] as Operation[])) {
			if (report.kind === 'unknown') mayBeNew = true;
			if (report.kind !== 'done') continue;
			retired.add(key);
			key = (report.what as ReplacedAuthKey).proxyAuthkey;
			if (retired.has(key)) return true;
		}
		const now = subUsers.get(username)?.proxyAuthkey;
		return now !== key && !(mayBeNew && now !== undefined && !retired.has(now));
	});
}

/** The sub-user's balance after each transfer, in USD cents, by the transfer's id. */
function balancesAfter(transfers: readonly TransferRow[]): Map<number, number> {
	const now = new Map<string, number>();
	return new Map(
		transfers
			.filter(({ kind }) => kind === 'give' || kind === 'take')
			.map(({ id, kind, debit, credit, amountCents }) => {
				const [username, change] = kind === 'give' ? [credit, amountCents] : [debit, -amountCents];
				const after = (now.get(username) ?? FIRST_AMOUNT_CENTS) + change;
				now.set(username, after);
				return [id, after];
			}),
	);
}
