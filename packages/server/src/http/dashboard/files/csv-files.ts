import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { csvLine } from '@bursar/contract/csv';
import type { FastifyReply } from 'fastify';
import type { SignedIn } from '../../../store/dashboard-reads.ts';
import { StoreUnavailableError } from '../../../store/store.ts';
import { sendStream } from '../../server/answers.ts';
import type { PersonCall } from '../calls/call.ts';
import type { Refused } from '../calls/refusals.ts';

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
	send(call: PersonCall, file: CsvFile): Promise<Refused | undefined>;
}

/** How many rows a step has at most, so that it blocks the event loop for only about a millisecond. */
export const ROWS_IN_A_STEP = 500;

export interface CsvFileLimits {
	/** The most files at once, of one reseller (or one operator) and of all. */
	readonly atOnceOfOwner: number;
	readonly atOnce: number;
	/** How many of them resellers leave to operators. */
	readonly keptForOperators: number;
	/** How long a client may take to read one step, in milliseconds. */
	readonly stepMs: number;
	/** How long a whole file may take, in milliseconds. */
	readonly fileMs: number;
	/** How long a file may go on after its session has ended, in milliseconds. */
	readonly sessionMs: number;
}

const LIMITS: CsvFileLimits = {
	atOnceOfOwner: 2,
	atOnce: 8,
	keptForOperators: 2,
	stepMs: 30_000,
	fileMs: 30 * 60_000,
	sessionMs: 5_000,
};

/** How long a step waits before it is read again, in milliseconds. */
const AGAIN_MS = [500, 2_000];

/** Spreadsheets then know that the text is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Sends files as fast as their clients read them. Between two steps nothing is held in the store, and a file never has
 * more than two steps in memory. A client that is gone, stalls, takes too long or is signed out loses its connection and
 * its place.
 */
export function createCsvFiles(
	isSignedIn: (caller: SignedIn) => Promise<boolean>,
	limits: Partial<CsvFileLimits> = {},
): CsvFiles {
	const { atOnceOfOwner, atOnce, keptForOperators, stepMs, fileMs, sessionMs } = { ...LIMITS, ...limits };
	const underWay: string[] = [];

	function begin(owner: string, isOperator: boolean): boolean {
		const ofOwner = underWay.filter((other) => other === owner).length;
		const places = isOperator ? atOnce : atOnce - keptForOperators;
		if (ofOwner >= atOnceOfOwner || underWay.length >= places) return false;
		underWay.push(owner);
		return true;
	}

	function end(owner: string): void {
		underWay.splice(underWay.indexOf(owner), 1);
	}

	async function* text(
		first: Step,
		{ columns, steps }: CsvFile,
		{ raw }: FastifyReply,
		caller: SignedIn,
	): AsyncGenerator<string> {
		let lookedAtMs = performance.now();
		const late = setTimeout(() => raw.destroy(), fileMs);
		let lines = BYTE_ORDER_MARK + linesOf([columns]);
		try {
			for (let step = first; !step.done && !raw.destroyed; step = await steps.next()) {
				if (performance.now() - lookedAtMs > sessionMs) {
					if (!(await isSignedIn(caller))) raw.destroy();
					lookedAtMs = performance.now();
				}
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
		async send({ caller, request, reply }, file) {
			const { id, reseller } = caller.record.person;
			const owner = reseller ?? id;
			if (!begin(owner, reseller === null)) return { refused: 'too_many_files' };
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
			const stream = Readable.from(text(first, file, reply, caller), { highWaterMark: 1 });
			stream.once('close', () => end(owner));
			void sendStream(reply, stream);
			return undefined;
		},
	};
}

/**
 * Reads a step of a file. A failure of the first step is said at once. A later one would cut the file, so the step is
 * read again.
 */
export async function readStep<Read>(isFirst: boolean, read: () => Promise<Read>): Promise<Read> {
	for (const waitMs of isFirst ? [] : AGAIN_MS) {
		try {
			return await read();
		} catch (cause) {
			if (!(cause instanceof StoreUnavailableError)) throw cause;
			await pause(waitMs);
		}
	}
	return read();
}

type Step = IteratorResult<readonly Row[], unknown>;

function linesOf(rows: readonly Row[]): string {
	return rows.map((row) => `${csvLine(row)}\r\n`).join('');
}
