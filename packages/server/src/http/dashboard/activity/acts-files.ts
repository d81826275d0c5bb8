import { detailsText, readActDetails, targetText } from '@bursar/contract/dashboard';
import type { ActsAfterQuery, StoredAct } from '../../../store/tables/changes/acts.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { type CsvFile, ROWS_ON_A_FILE_PAGE } from '../files/csv-files.ts';
import { dayOf, timeColumns } from '../files/csv-values.ts';

type FileDependencies = Pick<DashboardDependencies, 'store' | 'nowMs'>;
interface ActsOfFile extends Omit<ActsAfterQuery, 'after' | 'limit'> {
	readonly zone: string;
}

/** What all people, programs and the command line did, for operators. */
export function allActsFile(wanted: ActsOfFile, dependencies: FileDependencies): CsvFile {
	const columns = ['person', 'reseller', 'token', 'system user', 'address', 'operator token', 'details'];
	return actsFile(wanted, columns, dependencies, (act) => {
		const { email, reseller, tokenTail, systemUser, address, operatorToken } = act;
		const by = [email, reseller, tokenTail, systemUser, address, operatorToken].map(orEmpty);
		return [...by, detailsText(readActDetails(act.details, 'operator'))];
	});
}

/** What was done of a reseller, for its own people. They do not learn who operators are, and where. */
export function teamActsFile(wanted: ActsOfFile, dependencies: FileDependencies): CsvFile {
	return actsFile(wanted, ['by', 'token', 'address', 'details'], dependencies, (act) => {
		const by = isByOperator(act) ? ['operator', '', ''] : [act.email, act.tokenTail, act.address].map(orEmpty);
		return [...by, detailsText(readActDetails(act.details, 'reseller'))];
	});
}

/** On the dashboard, on the command line, or with a program of the operator. */
export function isByOperator({ tokenTail, email, emailReseller }: StoredAct): boolean {
	return tokenTail === null && (email === null || emailReseller === null);
}

/** Acts as a file, the oldest first. */
function actsFile(
	{ zone, ...wanted }: ActsOfFile,
	columns: readonly string[],
	{ store, nowMs }: FileDependencies,
	/** Who did it, and its details. */
	last: (act: StoredAct) => readonly string[],
): CsvFile {
	const times = timeColumns('time', zone);
	let after: number | null = 0;
	return {
		name: `activity-${dayOf(nowMs())}`,
		columns: ['number', ...times.names, 'action', 'what', ...columns],
		async readNext() {
			if (after === null) return undefined;
			const { rows, nextAfter } = await store.searchActsAfter({ ...wanted, after, limit: ROWS_ON_A_FILE_PAGE });
			after = nextAfter;
			return rows.map((act) => [act.number, ...times.values(act.atMs), act.kind, targetText(act), ...last(act)]);
		},
	};
}

function orEmpty(text: string | null): string {
	return text ?? '';
}
