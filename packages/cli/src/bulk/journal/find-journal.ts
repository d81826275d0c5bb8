import { existsSync } from 'node:fs';
import { UsageError } from '@bursar/terminal';
import { unfinishedName } from '../files/durable-file.ts';
import { type FoundJournal, type HandedOn, type JournalHeader, readJournalFile } from './journal-file.ts';

/** Reads a journal and writes nothing. Throws a `UsageError` if it is for another operation or service. */
export function findJournal(
	path: string,
	{ operation, url }: Pick<JournalHeader, 'operation' | 'url'>,
): FoundJournal | undefined {
	const found = readJournalFile(path);
	const { header } = found ?? {};
	if (header === undefined) return undefined;
	if (header.operation !== operation) {
		throw otherJournal(path, `it is for another operation (${header.operation}). Name another with --journal`);
	}
	if (header.url !== url) {
		throw otherJournal(
			path,
			`it is for another service (${header.url}). If this is the same service under another address, give that address: a new journal would send all lines again. If not, name another journal with --journal`,
		);
	}
	return found;
}

/** Throws a `UsageError` if the journal was begun for another reseller. */
export function refuseOtherReseller(path: string, found: FoundJournal | undefined, reseller: string): void {
	if (found === undefined || found.header.reseller === reseller) return;
	throw otherJournal(path, `it is for another reseller (${found.header.reseller}). Name another with --journal`);
}

/** The error of a command that would go on with a journal whose remaining lines went to another file. */
export function handedOnError({ to }: HandedOn): UsageError {
	const isFinished = existsSync(to) || !existsSync(unfinishedName(to));
	const advice = isFinished
		? 'go on with that file'
		: `it is not complete yet: the same command with --left ${to} finishes it`;
	return new UsageError(
		`the remaining lines of this file were moved to ${to}: ${advice}. Nothing was sent`,
		'handed_on',
	);
}

function otherJournal(path: string, why: string): UsageError {
	return new UsageError(`the journal ${path} is not for this command: ${why}. Nothing was sent`, 'other_journal');
}
