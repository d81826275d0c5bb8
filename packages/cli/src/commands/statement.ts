import type { Movement, StatementOptions } from '@bursar/client';
import { say, UsageError, usd } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { referenceArgument } from '../arguments.ts';
import type { GlobalOptions } from '../global-options.ts';
import { dayArgument } from '../limit-arguments.ts';
import { printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { MOVEMENT_FIELDS, movementFields } from '../output/sub-user-terms.ts';
import { openSession } from '../session.ts';

interface Options extends GlobalOptions {
	readonly from?: Date;
	readonly to?: Date;
	readonly reference?: string;
	readonly oldest?: boolean;
	readonly after?: string;
	readonly rows?: number;
	readonly csv?: boolean;
}

const HELP = `
An amount is below zero if your balance got smaller. What a sub-user paid for its bandwidth left its balance: it is below
zero too, and your balance is empty in its line.

Example:
  $ bursarctl statement --from 2026-11-01 --to 2026-11-30
`;

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
		.option('--reference <text>', 'only gives and takes with exactly this reference', referenceArgument)
		.option('--oldest', 'the oldest first')
		.option('--after <place>', 'with --oldest: go on behind this id, or this next', placeArgument)
		.option('--rows <count>', `at most so many (default: ${DEFAULT_ROWS})`, rowsArgument)
		.option('--csv', 'print CSV')
		.addHelpText('after', HELP)
		.action((_options: unknown, command: Command) => showStatement(command.optsWithGlobals()));
	return printsFields(statement, MOVEMENT_FIELDS);
}

async function showStatement(options: Options): Promise<void> {
	const { csv, json, rows = DEFAULT_ROWS, oldest, after } = options;
	if (csv && json) throw new UsageError('give one of --csv and --json');
	if (after !== undefined && !oldest) throw new UsageError('--after is for --oldest');
	const { client, interrupts } = openSession(options);
	let next = after;
	let more = true;
	async function* movements(): AsyncGenerator<Movement> {
		for (let left = rows; more && left > 0; ) {
			const list = client.statement.list({
				...filterOf(options),
				order: oldest ? 'oldest' : 'newest',
				...(next !== undefined && { after: next }),
				pageRows: Math.min(left, MOST_PAGE_ROWS),
				signal: interrupts.stop,
			});
			const page = await list.page();
			yield* page.items;
			left -= page.items.length;
			next = page.next;
			more = page.more ?? next !== undefined;
		}
	}
	await printList(movements(), STATEMENT_FORM, options);
	if (oldest) {
		const words = more ? 'There are newer ones: go on with' : 'For those to come, go on with';
		say(json ? JSON.stringify({ next, left_out: more }) : `${words} --after ${next}`);
	} else if (more) say(json ? JSON.stringify({ left_out: true }) : 'There are older ones: --rows shows more.');
}

function filterOf({ from, to, reference }: Options): StatementOptions {
	return { ...(from && { from }), ...(to && { to }), ...(reference !== undefined && { reference }) };
}

const dollars = (cents: number | null) => (cents === null ? '' : usd(cents));

const STATEMENT_FORM: ListForm<Movement, ReturnType<typeof movementFields>> = {
	fieldsOf: movementFields,
	csv: MOVEMENT_FIELDS,
	table: [
		{ title: 'ID', isNumber: true },
		{ title: 'WHEN' },
		{ title: 'KIND' },
		{ title: 'USERNAME' },
		{ title: 'USD', isNumber: true },
		{ title: 'YOUR BALANCE', isNumber: true },
		{ title: 'ITS BALANCE', isNumber: true },
		{ title: 'REFERENCE' },
	],
	cells: (row) => [
		String(row.id),
		row.timestamp,
		row.kind,
		row.username ?? '',
		usd(row.amount_usd_cents),
		dollars(row.balance_usd_cents),
		dollars(row.sub_user_balance_usd_cents),
		row.reference ?? '',
	],
};

/** An id, or the `next` of an earlier command. The service says whether there is such a place. */
function placeArgument(text: string): string {
	if (/^(0|[1-9]\d{0,14})(-[0-9a-f]{16})?$/.test(text)) return text;
	throw new InvalidArgumentError('It must be the id of a movement, or the next that an earlier statement told.');
}

function rowsArgument(text: string): number {
	const count = Number(text);
	if (/^\d{1,7}$/.test(text) && count >= 1 && count <= MOST_ROWS) return count;
	throw new InvalidArgumentError(`It must be an integer from 1 to ${MOST_ROWS}.`);
}
