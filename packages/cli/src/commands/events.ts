import type { ClientEvent, EventType, ResellerEvent } from '@bursar/client';
import { EVENT_TYPES } from '@bursar/contract/events';
import { printMore, say } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import { EVENT_FIELDS, eventFields } from '../output/events.ts';
import { jsonText, printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { warn } from '../output/tell.ts';
import { openSession } from '../session.ts';

/** From where on, and what of the log. */
export interface PlaceOptions {
	readonly after?: string;
	readonly types?: readonly EventType[];
}

interface Options extends GlobalOptions, PlaceOptions {
	readonly rows?: number;
}

const DEFAULT_ROWS = 100;
/** @bound Events of one `events list` or `events follow`: `--rows` takes no more. */
const MOST_ROWS = 1_000_000;
const MOST_PAGE_ROWS = 1_000;

/** `bursarctl events` */
export function eventsCommand(): Command {
	return new Command('events')
		.description('show what has happened to you and your sub-users, in order')
		.addHelpText('after', '\nExample:\n  $ bursarctl events follow --after newest --json\n')
		.addCommand(listCommand())
		.addCommand(followCommand());
}

function listCommand(): Command {
	const list = new Command('list')
		.description('show events from a place on, the oldest first')
		.option('--rows <count>', `at most so many (default: ${DEFAULT_ROWS})`, rowsArgument)
		.addHelpText('after', '\nExample:\n  $ bursarctl events list --types sub_user.unusable,sub_user.usable\n')
		.action((_options: unknown, command: Command) => listEvents(command.optsWithGlobals()));
	return printsFields(addPlaceOptions(list), EVENT_FIELDS);
}

function followCommand(): Command {
	const follow = new Command('follow')
		.description('show events from a place on, and wait for those to come, until Ctrl-C')
		.option('--rows <count>', 'end after so many', rowsArgument)
		.addHelpText('after', '\nExample:\n  $ bursarctl events follow --after newest --json\n')
		.action((_options: unknown, command: Command) => followEvents(command.optsWithGlobals()));
	return printsFields(addPlaceOptions(follow), EVENT_FIELDS);
}

export function addPlaceOptions(command: Command, otherwise = 'the oldest that is kept'): Command {
	return command
		.option('--after <place>', `the next of an event, a number, or newest (default: ${otherwise})`, placeArgument)
		.option('--types <list>', 'only these types, with commas between them', typesArgument);
}

async function listEvents(options: Options): Promise<void> {
	const { json, rows = DEFAULT_ROWS, types } = options;
	const { client, interrupts } = openSession(options);
	let next = options.after;
	let more = true;
	async function* events(): AsyncGenerator<ResellerEvent> {
		for (let left = rows; more && left > 0; ) {
			const list = client.events.list({
				...(next !== undefined && { after: next }),
				...(types && { types }),
				pageRows: Math.min(left, MOST_PAGE_ROWS),
				signal: interrupts.stop,
			});
			const page = await list.page();
			yield* page.items;
			left -= page.items.length;
			({ next, more } = page);
		}
	}
	await printList(events(), EVENT_FORM, options);
	const words = more ? 'There are newer ones: go on with' : 'For those to come, go on with';
	say(json ? JSON.stringify({ next, left_out: more }) : `${words} --after ${next}`);
}

async function followEvents(options: Options): Promise<void> {
	const { json, rows = Number.POSITIVE_INFINITY, after, types } = options;
	const { client, interrupts } = openSession(options);
	const events = client.events.follow({
		...(after !== undefined && { after }),
		...(types && { types }),
		signal: interrupts.stop,
		onNext: (next) => say(json ? JSON.stringify({ next }) : `no event until ${next}`),
		onEvent: tellOfOutages(json),
	});
	let count = 0;
	for await (const event of events) {
		const fields = eventFields(event);
		const line = json ? jsonText(fields, json) : EVENT_FORM.cells(fields).filter(Boolean).join('  ');
		// The reader of the output may have ended.
		if (!(await printMore([line])) || ++count === rows) return;
	}
}

/** Says once in each outage why no event comes. */
export function tellOfOutages(json: GlobalOptions['json']): (event: ClientEvent) => void {
	let isTold = false;
	return (event) => {
		if (event.kind === 'answer') isTold = false;
		if (event.kind !== 'failure' || isTold) return;
		isTold = true;
		warn('trying_again', `${event.message}: trying again until it works`, json);
	};
}

const EVENT_FORM: ListForm<ResellerEvent, ReturnType<typeof eventFields>> = {
	fieldsOf: eventFields,
	csv: [],
	table: [
		{ title: 'WHEN' },
		{ title: 'NUMBER', isNumber: true },
		{ title: 'TYPE' },
		{ title: 'USERNAME' },
		{ title: 'DATA' },
	],
	cells: ({ at, number, type, username, data }) => [
		at,
		String(number),
		type,
		username ?? '',
		Object.keys(data).length === 0 ? '' : JSON.stringify(data),
	],
};

function placeArgument(text: string): string {
	if (/^(?:newest|\d{1,15}(?:-evt_[0-9A-Za-z]{22})?)$/.test(text)) return text;
	throw new InvalidArgumentError('It must be the next of an event, a number, or newest.');
}

export function typesArgument(text: string): readonly EventType[] {
	const words = text.split(',').map((word) => word.trim());
	const types = EVENT_TYPES.filter((type) => words.includes(type));
	if (types.length === words.length) return types;
	throw new InvalidArgumentError(`It must be some of ${EVENT_TYPES.join(', ')}, with commas between them.`);
}

function rowsArgument(text: string): number {
	const count = Number(text);
	if (/^\d{1,7}$/.test(text) && count >= 1 && count <= MOST_ROWS) return count;
	throw new InvalidArgumentError(`It must be an integer from 1 to ${MOST_ROWS}.`);
}
