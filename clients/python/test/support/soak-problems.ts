import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { Bursar, RecordedChange } from '../../../../packages/client/src/index.ts';
import type { Passage } from '../../../../packages/client/test/support/faulty-network.ts';
import { PATIENCE_MS } from '../../../../packages/client/test/support/faulty-run.ts';
import { type Problem, problemsOf } from '../../../../packages/client/test/support/problems.ts';
import {
	FIRST_AMOUNT_CENTS,
	type ResellerAccounts,
} from '../../../../packages/client/test/support/reseller-accounts.ts';
import {
	changePath,
	type Evidence,
	type Tally,
	tally,
	verdictsOn,
} from '../../../../packages/client/test/support/verdicts.ts';
import { operationOf, type SoakReport } from './soak.ts';

/** What the reports of a program say, held against the service and its store. */
export interface SoakFindings {
	readonly problems: readonly (Problem | SoakProblem)[];
	readonly tally: Tally;
	readonly lines: readonly string[];
}

interface SoakProblem {
	readonly name: /** `changes.settle` told another outcome than the store, or could not tell it. */
		| 'settled_wrongly'
		/** The same call with the same id told another outcome. */
		| 'repeated_wrongly'
		| 'wrong_balance'
		| 'wrong_reference';
	readonly what: unknown;
}

/** A workload that has ended, and that only these reports tell of. */
export interface EndedSoak {
	readonly accounts: ResellerAccounts;
	/** A client whose requests never fail. */
	readonly reliable: Bursar;
	readonly reports: readonly SoakReport[];
	readonly passages: readonly Passage[];
	/** The reseller's own balance before the workload. */
	readonly balanceBefore: number;
}

export async function findProblems(soak: EndedSoak): Promise<SoakFindings> {
	const { accounts, reliable, reports } = soak;
	const records = await recordsOf(reliable, reports);
	const evidence: Evidence = {
		operations: reports.map(operationOf),
		passages: withRecords(soak.passages, reports, records),
		transfers: await accounts.transfers(),
		requestsOfOthers: new Set(),
		subUsers: await accounts.view(),
	};
	const verdicts = verdictsOn(evidence);
	const givenUp = new Set(verdicts.filter(({ operation }) => operation.givenUpAfterMs !== undefined));
	const judge = (some: typeof verdicts) => problemsOf(some, { ...evidence, transfers: [] }, new Map(), PATIENCE_MS);
	const times = new Map(verdicts.map(({ operation, times }) => [operation.number, times]));
	const problems = [
		...problemsOf(verdicts, evidence, accounts.authKeys, PATIENCE_MS).filter(({ name }) => name !== 'unfounded'),
		// A call that was given up reports nothing.
		...judge(verdicts.filter((verdict) => !givenUp.has(verdict))).filter(({ name }) => name === 'unfounded'),
		...reports
			.filter(({ kind, task, settled = null }) => {
				const isUnknown = kind === 'unknown' || kind === 'given_up';
				return isUnknown && (settled === 'unknown' || Number(isDone(settled)) !== times.get(task.number));
			})
			.map((what): SoakProblem => ({ name: 'settled_wrongly', what: JSON.stringify(what) })),
		...reports
			.filter((report) => report.repeated && !isSameOutcome(report, records.get(report.task.number)))
			.map((what): SoakProblem => ({ name: 'repeated_wrongly', what: JSON.stringify(what) })),
		...(await wrongBalances(soak, evidence)),
		...(await wrongReferences(reliable, reports)),
	];
	return { problems, tally: tally(verdicts), lines: linesOf(reports) };
}

/** Whether an operation took effect, by its own report and by what settled it. */
function isTakenEffect({ kind, what, settled = null }: SoakReport): boolean {
	if (kind === 'done') return !(what && 'created' in what && !what.created);
	return settled !== 'unknown' && isDone(settled);
}

function isDone(recorded: RecordedChange | null): boolean {
	return recorded !== null && (recorded.error ?? null) === null;
}

async function recordsOf(
	reliable: Bursar,
	reports: readonly SoakReport[],
): Promise<ReadonlyMap<number, RecordedChange | undefined>> {
	const records = new Map<number, RecordedChange | undefined>();
	for (const { task, changeId } of reports) {
		if (changeId !== null) records.set(task.number, await reliable.changes.retrieve(changeId));
	}
	return records;
}

/** A kill can take the answer of a change that was done. Its record stands for it: both have the same request id. */
function withRecords(
	passages: readonly Passage[],
	reports: readonly SoakReport[],
	records: ReadonlyMap<number, RecordedChange | undefined>,
): Passage[] {
	const kinds = new Map(reports.map(({ task }) => [task.number, task.kind]));
	const answered = new Set(passages.map(({ answer }) => answer?.requestId));
	return passages.map((passage) => {
		if (passage.answer !== undefined) return passage;
		const { operation, path } = passage;
		const recorded = records.get(operation);
		const kind = kinds.get(operation);
		if (recorded === undefined || kind === undefined || path !== changePath(kind) || answered.has(recorded.requestId)) {
			return { ...passage, wasSent: false };
		}
		answered.add(recorded.requestId);
		const status = (recorded.error ?? null) === null ? 200 : 409;
		return { ...passage, answer: { status, requestId: recorded.requestId } };
	});
}

function isSameOutcome({ kind, what, code, fee, repeated }: SoakReport, recorded: RecordedChange | undefined): boolean {
	if (repeated === undefined) return false;
	// A call that only looked, and was not answered, has done nothing.
	if (repeated.kind === 'not_done') return repeated.requests.at(-1)?.wasAnswered !== true;
	if (repeated.kind !== kind) {
		const { settled = null } = repeated;
		return repeated.kind === 'unknown' && settled !== 'unknown' && isDone(settled) === (kind === 'done');
	}
	if (kind !== 'done') return repeated.code === code && repeated.fee?.minCents === fee?.minCents;
	const { confirmedBy, requestId, ...rest } = repeated.what ?? {};
	const { confirmedBy: _, requestId: __, ...first } = what ?? {};
	if (confirmedBy !== 'look' || requestId !== recorded?.requestId) return false;
	// The sub-user of a create may have a balance by now.
	const fixed = (told: object) => JSON.stringify({ ...told, subUser: undefined });
	return fixed(rest) === fixed(first);
}

/** The balances that follow from the reports alone, against those that the service shows. */
async function wrongBalances(
	{ accounts, reliable, reports, passages, balanceBefore }: EndedSoak,
	{ subUsers, transfers }: Evidence,
): Promise<SoakProblem[]> {
	const given = new Map(accounts.subUsers.map((name) => [name, 0]));
	for (const report of reports.filter(isTakenEffect)) {
		const { kind, username, amountCents } = report.task;
		if (kind === 'give' || kind === 'take') {
			given.set(username, (given.get(username) ?? 0) + (kind === 'give' ? amountCents : -amountCents));
		}
	}
	const ofSubUsers = [...given]
		.map(([name, cents]) => ({ name, is: subUsers.get(name)?.balanceCents, expected: FIRST_AMOUNT_CENTS + cents }))
		.filter(({ is, expected }) => is !== expected);
	const moved = [...given.values()].reduce((sum, cents) => sum + cents, 0);
	const fees = transfers.filter(({ kind }) => kind === 'create_fee').length * CREATE_FEE_CENTS;
	const { balanceCents } = await reliable.account.retrieve();
	const own = { is: balanceCents, expected: balanceBefore - moved - fees, requests: passages.length };
	const all = own.is === own.expected ? ofSubUsers : [...ofSubUsers, own];
	return all.map((what) => ({ name: 'wrong_balance', what }));
}

/** Each transfer that took effect stands once in the statement with its reference, and no other does. */
async function wrongReferences(reliable: Bursar, reports: readonly SoakReport[]): Promise<SoakProblem[]> {
	const found: string[] = [];
	for await (const { reference, amountCents } of reliable.statement.list()) {
		if (reference !== undefined) found.push(`${reference} ${Math.abs(amountCents)}`);
	}
	const expected = reports
		.filter(({ task }) => task.reference !== undefined && ['give', 'take'].includes(task.kind))
		.filter(isTakenEffect)
		.map(({ task }) => `${task.reference} ${task.amountCents}`);
	const odd = [...new Set([...found, ...expected])].filter((text) =>
		[found, expected].some((all) => all.filter((one) => one === text).length !== 1),
	);
	return odd.map((what) => ({ name: 'wrong_reference', what }));
}

function linesOf(reports: readonly SoakReport[]): string[] {
	const unknown = reports.filter(({ settled }) => settled !== undefined);
	const counts = {
		settled: unknown.length,
		ofThemDone: unknown.filter(isTakenEffect).length,
		repeated: reports.filter(({ repeated }) => repeated).length,
		withReference: reports.filter(({ task }) => task.reference).length,
	};
	return [JSON.stringify(counts)];
}
