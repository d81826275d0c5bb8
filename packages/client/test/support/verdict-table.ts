import type { Fate } from './network-fates.ts';
import { changePath, type Verdict } from './verdicts.ts';

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
