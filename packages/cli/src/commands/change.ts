import { isChangeId, type RecordedChange } from '@bursar/client';
import { CommandError, printRecord, say, UsageError, usd } from '@bursar/terminal';
import { Command } from 'commander';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { CHANGE_FIELDS, changeFields } from '../output/fields.ts';
import { printJson, printsFields } from '../output/json.ts';
import { openSession } from '../session.ts';

/** `bursarctl change` */
export function changeCommand(): Command {
	const change = new Command('change')
		.description('show what a change of the last 48 hours did, by the id that an unknown outcome names')
		.argument('<id>')
		.addHelpText('after', '\nExample:\n  $ bursarctl change mgd3k1c04f1b9e2a7c85d036\n')
		.action((id: string, _options: unknown, command: Command) => showChange(id, command.optsWithGlobals()));
	return printsFields(change, CHANGE_FIELDS);
}

async function showChange(id: string, options: GlobalOptions): Promise<void> {
	if (!isChangeId(id)) throw new UsageError('the id of a change has 16 to 64 characters of A-Z a-z 0-9 - _');
	const { client, interrupts } = openSession(options);
	const signal = interrupts.stop;
	let change = await client.changes.retrieve(id, { signal });
	if (change === undefined) {
		if (!options.json) say('There is none yet. Waiting until it can no longer arrive.');
		change = await client.changes.settle({ changeId: id }, { signal });
	}
	if (change === undefined) {
		const message = 'no change with this id was done within the last 48 hours';
		throw new CommandError('no_such_change', message, exitCodes.failed);
	}
	if (options.json) printJson(changeFields(change), options.json);
	else printRecord(changeRecord(change));
}

function changeRecord({
	operation,
	username = '',
	amountCents,
	balanceCents,
	error,
	doneAt,
	requestId,
}: RecordedChange) {
	return {
		Operation: operation,
		Username: username,
		...(amountCents !== undefined && { 'Amount in USD': usd(amountCents) }),
		...(balanceCents !== undefined && { 'Balance after it in USD': usd(balanceCents) }),
		...(error !== undefined && { Error: error }),
		Done: doneAt.toISOString(),
		'Request id': requestId,
	};
}
