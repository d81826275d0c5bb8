import { Readable } from 'node:stream';
import { csvLine } from '@bursar/contract/csv';
import type { FastifyReply } from 'fastify';
import type { PersonsQuestion } from './question.ts';
import type { Refused } from './refusals.ts';

/** A table to download. */
export interface CsvFile {
	/** Without its ending: letters, digits, `.`, `_` and `-`. */
	readonly name: string;
	readonly columns: readonly string[];
	/** The rows in steps, each of which reads and writes some hundred rows. A step may have none. */
	readonly steps: AsyncGenerator<readonly Row[]>;
}

type Row = readonly (string | number)[];

export interface CsvFiles {
	/** Begins to send a file. Its first step is read before, so that a failure can still be answered. */
	send(question: PersonsQuestion, file: CsvFile): Promise<Refused | undefined>;
}

/** How many rows a step has at most, so that it blocks the event loop for only about a millisecond. */
export const ROWS_IN_A_STEP = 500;

export interface CsvFileLimits {
	/** The most files at once, of one reseller (or one operator) and of all. */
	readonly atOnceOfOwner: number;
	readonly atOnce: number;
	/** How long a client may take to read one step, in milliseconds. */
	readonly stepMs: number;
	/** How long a whole file may take, in milliseconds. */
	readonly fileMs: number;
}

const LIMITS: CsvFileLimits = { atOnceOfOwner: 2, atOnce: 8, stepMs: 30_000, fileMs: 30 * 60_000 };

/** Spreadsheets then know that the text is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Sends files as fast as their clients read them. Between two steps nothing is held in the store, and a file never has
 * more than two steps in memory. A client that is gone, stalls or takes too long loses its connection and its place.
 */
export function createCsvFiles(limits: Partial<CsvFileLimits> = {}): CsvFiles {
	const { atOnceOfOwner, atOnce, stepMs, fileMs } = { ...LIMITS, ...limits };
	const underWay: string[] = [];

	function begin(owner: string): boolean {
		const ofOwner = underWay.filter((other) => other === owner).length;
		if (ofOwner >= atOnceOfOwner || underWay.length >= atOnce) return false;
		underWay.push(owner);
		return true;
	}

	function end(owner: string): void {
		underWay.splice(underWay.indexOf(owner), 1);
	}

	async function* text(first: Step, { columns, steps }: CsvFile, { raw }: FastifyReply): AsyncGenerator<string> {
		const late = setTimeout(() => raw.destroy(), fileMs);
		let lines = BYTE_ORDER_MARK + linesOf([columns]);
		try {
			for (let step = first; !step.done && !raw.destroyed; step = await steps.next()) {
				lines += linesOf(step.value);
				if (lines === '') continue;
				const stalled = setTimeout(() => raw.destroy(), stepMs);
				try {
					yield lines;
				} finally {
					clearTimeout(stalled);
				}
				lines = '';
			}
			if (lines !== '') yield lines;
		} finally {
			clearTimeout(late);
		}
	}

	return {
		async send({ asker, request, reply }, file) {
			const { id, reseller } = asker.record.person;
			const owner = reseller ?? id;
			if (!begin(owner)) return { refused: 'too_many_files' };
			let first: Step;
			try {
				first = await file.steps.next();
			} catch (cause) {
				end(owner);
				throw cause;
			}
			void reply.headers({
				'content-type': 'text/csv; charset=utf-8; header=present',
				'content-disposition': `attachment; filename="${file.name}.csv"`,
			});
			if (request.method === 'HEAD') {
				end(owner);
				void reply.send();
				return undefined;
			}
			const stream = Readable.from(text(first, file, reply), { highWaterMark: 1 }).once('close', () => end(owner));
			// The file ends with its answer, even if the answer ended before the file began.
			if (reply.raw.destroyed) stream.destroy();
			else reply.raw.once('close', () => stream.destroy());
			void reply.send(stream);
			return undefined;
		},
	};
}

type Step = IteratorResult<readonly Row[], unknown>;

function linesOf(rows: readonly Row[]): string {
	return rows.map((row) => `${csvLine(row)}\r\n`).join('');
}
