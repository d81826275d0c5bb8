import { csvLine } from '@bursar/contract/csv';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import { sendStream } from '../../server/answers.ts';
import { type ReadNext, streamPages } from '../../server/page-stream.ts';
import type { PersonCall } from '../calls/call.ts';
import type { Refused } from '../calls/refusals.ts';

/** A table to download. */
export interface CsvFile {
	/** Without its ending: letters, digits, `.`, `_` and `-`. */
	readonly name: string;
	readonly columns: readonly string[];
	/** Reads the rows in pages of at most `ROWS_ON_A_FILE_PAGE`. A page may have none. */
	readonly readNext: ReadNext<readonly Row[]>;
}

type Row = readonly (string | number)[];

export interface CsvFiles {
	/** Begins to send a file. Its first rows are read before, so that a failure can still be answered. */
	send(call: PersonCall, file: CsvFile): Promise<Refused | undefined>;
}

/**
 * @bound Rows of a file that are read at once, so that they block the event loop for only about a millisecond: the
 * next step has the rest.
 */
export const ROWS_ON_A_FILE_PAGE = 500;

export interface CsvFileLimits {
	/** The most files at once, of one reseller (or one operator) and of all. */
	readonly atOnceOfOwner: number;
	readonly atOnce: number;
	/** How many of them resellers leave to operators. */
	readonly keptForOperators: number;
	/** How long a client may take to read one page, in milliseconds. */
	readonly pageMs: number;
	/** How long a whole file may take, in milliseconds. */
	readonly wholeMs: number;
	/** How long a file may go on after its session has ended, in milliseconds. */
	readonly sessionMs: number;
}

const LIMITS: CsvFileLimits = {
	/** @bound Files that one reseller or operator downloads at once: a further one is refused. */
	atOnceOfOwner: 2,
	/** @bound Files that are downloaded at once: a further one is refused. */
	atOnce: 8,
	/** @bound Of these files, those that resellers leave to operators: a further one of a reseller is refused. */
	keptForOperators: 2,
	/** @bound A step of a file is read by its client: then its connection is closed. */
	pageMs: 30_000,
	/** @bound A whole file is read by its client: then its connection is closed. */
	wholeMs: 30 * 60_000,
	/** @bound A file goes on after its session has ended: then its connection is closed. */
	sessionMs: 5_000,
};

/** Spreadsheets then know that the text is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Sends files as fast as their clients read them. A client that is gone, stalls, takes too long or is signed out loses
 * its connection, and makes room for another file.
 */
export function createCsvFiles(
	isSignedIn: (caller: SignedIn) => Promise<boolean>,
	limits: Partial<CsvFileLimits> = {},
): CsvFiles {
	const { atOnceOfOwner, atOnce, keptForOperators, pageMs, wholeMs, sessionMs } = { ...LIMITS, ...limits };
	const underWay: string[] = [];

	function begin(owner: string, isOperator: boolean): boolean {
		const ofOwner = underWay.filter((other) => other === owner).length;
		const most = isOperator ? atOnce : atOnce - keptForOperators;
		if (ofOwner >= atOnceOfOwner || underWay.length >= most) return false;
		underWay.push(owner);
		return true;
	}

	function end(owner: string): void {
		underWay.splice(underWay.indexOf(owner), 1);
	}

	/** The lines of a file. From time to time it first looks whether the caller is still signed in. */
	function linesFor({ caller, reply }: PersonCall, { readNext }: CsvFile): ReadNext<string> {
		let lookedAtMs = performance.now();
		return async () => {
			if (performance.now() - lookedAtMs > sessionMs) {
				if (!(await isSignedIn(caller))) reply.raw.destroy();
				lookedAtMs = performance.now();
			}
			const rows = await readNext();
			return rows && linesOf(rows);
		};
	}

	return {
		async send(call, file) {
			const { caller, request, reply } = call;
			const { id, reseller } = caller.record.person;
			const owner = reseller ?? id;
			if (!begin(owner, reseller === null)) return { refused: 'too_many_files' };
			const stream = await streamPages(reply.raw, {
				head: BYTE_ORDER_MARK + linesOf([file.columns]),
				tail: '',
				readNext: linesFor(call, file),
				ended: () => end(owner),
				pageMs,
				wholeMs,
			});
			void reply.headers({
				'content-type': 'text/csv; charset=utf-8; header=present',
				'content-disposition': `attachment; filename="${file.name}.csv"`,
			});
			if (request.method === 'HEAD') {
				stream.destroy();
				void reply.send();
			} else {
				void sendStream(reply, stream);
			}
			return undefined;
		},
	};
}

function linesOf(rows: readonly Row[]): string {
	return rows.map((row) => `${csvLine(row)}\r\n`).join('');
}
