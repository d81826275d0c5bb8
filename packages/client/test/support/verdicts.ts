import { routes } from '@bursar/contract';
import type { TransferRow } from '@bursar/testing/stored-books';
import type { Creation, FeeRange } from '../../src/index.ts';
import type { Operation } from './client-operations.ts';
import type { Passage } from './faulty-network.ts';
import type { Fate } from './network-fates.ts';
import type { ResellerAccounts } from './reseller-accounts.ts';

/** What the store, the server's answers and a connection without faults tell about a workload that has ended. */
export interface Evidence {
	readonly operations: readonly Operation[];
	readonly transfers: readonly TransferRow[];
	readonly subUsers: Awaited<ReturnType<ResellerAccounts['view']>>;
	readonly passages: readonly Passage[];
	/** The ids of the second actor's requests. */
	readonly requestsOfOthers: ReadonlySet<string>;
}

/** An operation, and what the server really did for it. */
export interface Verdict {
	readonly operation: Operation;
	/** How often it took effect. */
	readonly times: number;
	/** Its transfers, without fees. */
	readonly moves: readonly TransferRow[];
	readonly paidCents: number;
	readonly reportedFee: FeeRange;
	/** Its requests, as the network saw them. */
	readonly passages: readonly Passage[];
}

const NO_FEE: FeeRange = { minCents: 0, maxCents: 0 };

export function verdictsOn({ operations, transfers, subUsers, passages, requestsOfOthers }: Evidence): Verdict[] {
	const own = transfers.filter(({ requestId }) => !requestsOfOthers.has(requestId));
	const movesByKey = Map.groupBy(own, moveKey);
	const feesByRequest = Map.groupBy(
		own.filter(({ kind }) => kind === 'create_fee'),
		({ requestId }) => requestId,
	);
	const passagesByOperation = Map.groupBy(passages, ({ operation }) => operation);
	return operations.map((operation) => {
		const { kind, username, amountCents, report } = operation;
		const ownPassages = passagesByOperation.get(operation.number) ?? [];
		const isMove = amountOf(kind) !== undefined;
		const moves = isMove ? (movesByKey.get(`${amountOf(kind)} ${username} ${amountCents}`) ?? []) : [];
		const fees = ownPassages.flatMap(({ answer }) => feesByRequest.get(answer?.requestId ?? '') ?? []);
		const successes = ownPassages.filter(({ path, answer }) => path === changePath(kind) && answer?.status === 200);
		// A username can be created only once, so its existence counts, not the answers.
		const made = kind === 'create' ? Number(subUsers.has(username)) : successes.length;
		return {
			operation,
			times: isMove ? moves.length : made,
			moves,
			paidCents: fees.reduce((total, fee) => total + fee.amountCents, 0),
			reportedFee: reportedFee(report) ?? NO_FEE,
			passages: ownPassages,
		};
	});
}

function reportedFee(report: Operation['report']): FeeRange | undefined {
	if (report.kind === 'given_up') return undefined;
	return report.kind === 'done' ? (report.what as Partial<Creation>).fee : report.error.fee;
}

/** Transfers that no operation asked for and whose request the network has not seen. */
export function strayTransfers(verdicts: readonly Verdict[], { transfers, requestsOfOthers }: Evidence): TransferRow[] {
	const known = new Set(verdicts.flatMap(({ moves }) => moves.map(({ id }) => id)));
	const requests = new Set(verdicts.flatMap(({ passages }) => passages.map(({ answer }) => answer?.requestId)));
	return transfers.filter(
		({ id, requestId }) => !requestsOfOthers.has(requestId) && !(known.has(id) || requests.has(requestId)),
	);
}

/** The path of the request that makes the change. */
export function changePath(kind: Operation['kind']): string {
	switch (kind) {
		case 'give':
			return routes.giveBalance.path;
		case 'take':
		case 'take_too_much':
			return routes.takeBalance.path;
		case 'reset':
			return routes.resetAuthKey.path;
		default:
			return routes.createSubUser.path;
	}
}

/** The kind of the operation's transfer; `undefined` if it makes none, fees aside. */
function amountOf(kind: Operation['kind']): 'give' | 'take' | undefined {
	if (kind === 'give') return 'give';
	return kind === 'take' || kind === 'take_too_much' ? 'take' : undefined;
}

function moveKey({ kind, debit, credit, amountCents }: TransferRow): string {
	return `${kind} ${kind === 'give' ? credit : debit} ${amountCents}`;
}

/** How often each outcome occurred, and how often each fate struck. */
export interface Tally {
	readonly operations: number;
	/** Operations that lost an answer for any reason, also because the machine is slow. */
	readonly lostAny: number;
	/** Operations that lost the answer to the change itself, not only to a look. */
	readonly lostChange: number;
	/** Operations that took effect and were confirmed by a look. */
	readonly doneByLook: number;
	/** Unknown operations whose caller did not give up. */
	readonly unknown: number;
	readonly fates: ReadonlyMap<Fate, number>;
	/** Lines to print. */
	readonly lines: readonly string[];
}

const COLUMNS = ['by answer', 'by look', 'refused', 'not done', 'given up', 'unknown', 'of it done'] as const;

export function tally(verdicts: readonly Verdict[]): Tally {
	const rows = new Map<string, number[]>();
	const fates = new Map<Fate, number>();
	const add = (name: string, column: (typeof COLUMNS)[number]) => {
		const row = rows.get(name) ?? COLUMNS.map(() => 0);
		rows.set(name, row);
		row[COLUMNS.indexOf(column)] = (row[COLUMNS.indexOf(column)] ?? 0) + 1;
	};
	for (const verdict of verdicts) {
		const isPatient = verdict.operation.givenUpAfterMs === undefined;
		for (const name of ['all', isPatient ? verdict.operation.kind : 'impatient']) {
			add(name, columnOf(verdict));
			if (verdict.operation.report.kind === 'unknown' && verdict.times > 0) add(name, 'of it done');
		}
		for (const { fate } of verdict.passages) fates.set(fate, (fates.get(fate) ?? 0) + 1);
	}
	const patient = verdicts.filter(({ operation }) => operation.givenUpAfterMs === undefined);
	const lostAny = verdicts.filter(({ operation }) => operation.requests.some(isLost));
	const lostChange = lostAny.filter(({ operation: { kind, requests } }) =>
		requests.some((request) => isLost(request) && request.path === changePath(kind)),
	);
	const counts = { operations: verdicts.length, lostAny: lostAny.length, lostChange: lostChange.length };
	const fees = {
		atLeastCents: total(verdicts.map(({ reportedFee }) => reportedFee.minCents)),
		paidCents: total(verdicts.map(({ paidCents }) => paidCents)),
		atMostCents: total(verdicts.map(({ reportedFee }) => reportedFee.maxCents)),
	};
	return {
		...counts,
		doneByLook: verdicts.filter((verdict) => verdict.times > 0 && columnOf(verdict) === 'by look').length,
		unknown: patient.filter(({ operation }) => operation.report.kind === 'unknown').length,
		fates,
		lines: [
			line('', COLUMNS),
			...[...rows].sort(([one], [other]) => one.localeCompare(other)).map(([name, row]) => line(name, row)),
			`operations ${JSON.stringify(counts)}`,
			`fees ${JSON.stringify(fees)}`,
			`requests ${JSON.stringify(Object.fromEntries([...fates].sort()))}`,
		],
	};
}

function columnOf({ operation: { report } }: Verdict): (typeof COLUMNS)[number] {
	switch (report.kind) {
		case 'done':
			return report.what.confirmedBy === 'answer' ? 'by answer' : 'by look';
		case 'refused':
			return 'refused';
		case 'not_done':
			return 'not done';
		case 'unknown':
			return 'unknown';
		case 'given_up':
			return 'given up';
	}
}

function isLost({ wasAnswered }: { readonly wasAnswered: boolean }): boolean {
	return !wasAnswered;
}

function line(name: string, cells: readonly (string | number)[]): string {
	return name.padEnd(14) + cells.map((cell) => String(cell).padStart(11)).join('');
}

function total(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
}
