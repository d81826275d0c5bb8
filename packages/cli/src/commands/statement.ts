import type { Movement } from '@bursar/client';
import { say, UsageError, usd } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import { dayArgument } from '../limit-arguments.ts';
import { printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { MOVEMENT_FIELDS, movementFields } from '../output/sub-user-terms.ts';
import { openSession } from '../session.ts';

interface Options extends GlobalOptions {
	readonly from?: Date;
	readonly to?: Date;
	readonly rows?: number;
	readonly csv?: boolean;
}

const DEFAULT_ROWS = 100;
/** @bound Rows of one statement: `--rows` takes no more. */
const MOST_ROWS = 1_000_000;
const MOST_PAGE_ROWS = 1_000;

/** `bursarctl statement` */
export function statementCommand(): Command {
	const statement = new Command('statement')
		.description('show the movements of money of you and your sub-users, the newest first')
		.option('--from <day>', 'only from this UTC day on, as 2026-11-01', dayArgument)
		.option('--to <day>', 'only until this UTC day', dayArgument)
		.option('--rows <count>', `at most so many (default: ${DEFAULT_ROWS})`, rowsArgument)
		.option('--csv', 'print CSV, in USD cents')
		.addHelpText('after', '\nExample:\n  $ bursarctl statement --from 2026-11-01 --to 2026-11-30\n')
		.action((_options: unknown, command: Command) => showStatement(command.optsWithGlobals()));
	return printsFields(statement, MOVEMENT_FIELDS);
}

async function showStatement(options: Options): Promise<void> {
	const { csv, json, rows = DEFAULT_ROWS, from, to } = options;
	if (csv && json) throw new UsageError('give one of --csv and --json');
	const { client, interrupts } = openSession(options);
	const list = client.statement.list({
		pageRows: Math.min(rows + 1, MOST_PAGE_ROWS),
		...(from && { from }),
		...(to && { to }),
		signal: interrupts.stop,
	});
	let isCut = false;
	async function* newest(): AsyncGenerator<Movement> {
		let count = 0;
		for await (const movement of list) {
			isCut = count++ === rows;
			if (isCut) return;
			yield movement;
		}
	}
	await printList(newest(), STATEMENT_FORM, options);
	if (isCut) say(json ? JSON.stringify({ left_out: true }) : 'There are older ones: --rows shows more.');
}

const dollars = (cents: number | null) => (cents === null ? '' : usd(cents));

const STATEMENT_FORM: ListForm<Movement, ReturnType<typeof movementFields>> = {
	fieldsOf: movementFields,
	csv: MOVEMENT_FIELDS,
	table: [
		{ title: 'WHEN' },
		{ title: 'KIND' },
		{ title: 'USERNAME' },
		{ title: 'USD', isNumber: true },
		{ title: 'YOUR BALANCE', isNumber: true },
		{ title: 'ITS BALANCE', isNumber: true },
	],
	cells: (row) => [
		row.timestamp,
		row.kind,
		row.username ?? '',
		usd(row.amount_usd_cents),
		dollars(row.balance_usd_cents),
		dollars(row.sub_user_balance_usd_cents),
	],
};

function rowsArgument(text: string): number {
	const count = Number(text);
	if (/^\d{1,7}$/.test(text) && count >= 1 && count <= MOST_ROWS) return count;
	throw new InvalidArgumentError(`It must be an integer from 1 to ${MOST_ROWS}.`);
}
