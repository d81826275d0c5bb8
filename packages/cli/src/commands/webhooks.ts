import { setTimeout as wait } from 'node:timers/promises';
import type { Bursar, EventType, ListedWebhook, WebhookTry, WebhookUpdate } from '@bursar/client';
import { CommandError, printRecord, UsageError, visible } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { askIfTerminal } from '../consent.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printDone } from '../output/done.ts';
import { printJson, printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { warn } from '../output/tell.ts';
import {
	CHANGED_WEBHOOK_FIELDS,
	CREATED_WEBHOOK_FIELDS,
	changedWebhookFields,
	createdWebhookFields,
	LISTED_WEBHOOK_FIELDS,
	listedWebhookFields,
	ROTATED_SECRET_FIELDS,
	rotatedSecretFields,
	stateWords,
	TRY_FIELDS,
	tryFields,
	webhookRecord,
} from '../output/webhooks.ts';
import { openSession } from '../session.ts';
import { typesArgument } from './events.ts';
import { listenCommand } from './webhooks-listen.ts';

interface CreateOptions extends GlobalOptions {
	readonly types?: readonly EventType[];
}

interface UpdateOptions extends GlobalOptions {
	readonly to?: string;
	readonly types?: readonly EventType[] | 'all';
	readonly position?: string;
}

/** `bursarctl webhooks` */
export function webhooksCommand(): Command {
	const webhooks = new Command('webhooks')
		.description('have your events sent to URLs of yours')
		.addHelpText('after', '\nExample:\n  $ bursarctl webhooks create https://shop.example.com/bursar/events\n');

	const create = webhooks
		.command('create')
		.description('make a webhook, and print its secret, which is not told again')
		.argument('<url>', 'https, and a public host')
		.option('--types <list>', 'only events of these types, with commas between them (default: all)', typesArgument)
		.addHelpText('after', '\nExample:\n  $ bursarctl webhooks create https://shop.example.com/bursar/events\n')
		.action((url: string, _options: unknown, command: Command) => createWebhook(url, command.optsWithGlobals()));
	printsFields(create, CREATED_WEBHOOK_FIELDS);

	const list = webhooks
		.command('list')
		.description('list your webhooks, and how far each is behind')
		.addHelpText('after', '\nExample:\n  $ bursarctl webhooks list\n')
		.action((_options: unknown, command: Command) => listWebhooks(command.optsWithGlobals()));
	printsFields(list, LISTED_WEBHOOK_FIELDS);

	const update = ofWebhook(webhooks, 'update', 'change where, what or from where on a webhook sends')
		.option('--to <url>', 'send to this URL')
		.option('--types <list>', 'only events of these types, or all', (text) =>
			text === 'all' ? text : typesArgument(text),
		)
		.option('--position <place>', 'go on behind this event: its next, or its number', positionArgument)
		.addHelpText('after', example('update', '--position 8123'))
		.action((id: string, _options: unknown, command: Command) => {
			const { to, types, position }: UpdateOptions = command.optsWithGlobals();
			const wanted = {
				...(to !== undefined && { url: to }),
				...(types !== undefined && { types: types === 'all' ? null : types }),
				...(position !== undefined && { position }),
			};
			if (Object.keys(wanted).length === 0) throw new UsageError('give one of --to, --types and --position');
			return updateWebhook(id, wanted, command.optsWithGlobals());
		});
	printsFields(update, CHANGED_WEBHOOK_FIELDS);

	const enable = ofWebhook(webhooks, 'enable', 'switch a webhook on: it goes on where it stood')
		.option('--position <place>', 'go on behind this event: its next, or its number', positionArgument)
		.addHelpText('after', example('enable'))
		.action((id: string, _options: unknown, command: Command) => {
			const { position }: UpdateOptions = command.optsWithGlobals();
			const wanted = { enabled: true, ...(position !== undefined && { position }) };
			return updateWebhook(id, wanted, command.optsWithGlobals());
		});
	printsFields(enable, CHANGED_WEBHOOK_FIELDS);

	const disable = ofWebhook(webhooks, 'disable', 'switch a webhook off')
		.addHelpText('after', example('disable'))
		.action((id: string, _options: unknown, command: Command) =>
			updateWebhook(id, { enabled: false }, command.optsWithGlobals()),
		);
	printsFields(disable, CHANGED_WEBHOOK_FIELDS);

	const rotate = ofWebhook(webhooks, 'rotate-secret', 'make a new secret; the previous one signs too for 24 hours')
		.addHelpText('after', example('rotate-secret'))
		.action((id: string, _options: unknown, command: Command) => rotateSecret(id, command.optsWithGlobals()));
	printsFields(rotate, ROTATED_SECRET_FIELDS);

	const test = ofWebhook(webhooks, 'test', 'send a test event, and show how that ended')
		.addHelpText('after', example('test'))
		.action((id: string, _options: unknown, command: Command) => testWebhook(id, command.optsWithGlobals()));
	printsFields(test, TRY_FIELDS);

	const tries = ofWebhook(webhooks, 'tries', 'show the last 50 tries to send events, the newest first')
		.addHelpText('after', example('tries'))
		.action((id: string, _options: unknown, command: Command) => listTries(id, command.optsWithGlobals()));
	printsFields(tries, TRY_FIELDS);

	const remove = ofWebhook(webhooks, 'delete', 'delete a webhook for ever')
		.addHelpText('after', example('delete'))
		.action((id: string, _options: unknown, command: Command) => deleteWebhook(id, command.optsWithGlobals()));
	printsFields(remove, ['id', 'confirmed_by']);

	return webhooks.addCommand(listenCommand());
}

function ofWebhook(webhooks: Command, name: string, description: string): Command {
	return webhooks.command(name).description(description).argument('<id>', 'as webhooks list shows it');
}

function example(name: string, options = ''): string {
	return `\nExample:\n  $ bursarctl webhooks ${`${name} whe_6Tq1XrVn0KbZ8sWdP3mYc7 ${options}`.trim()}\n`;
}

async function createWebhook(url: string, options: CreateOptions): Promise<void> {
	const { types } = options;
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const created = await client.webhooks.create({ url, ...(types && { types }) }, { signal: interrupts.stop });
	const { webhook, secret } = created;
	const record = { ...webhookRecord(webhook), Secret: secretWords(secret) };
	await printDone(`the webhook ${webhook.id} was made`, { fields: createdWebhookFields(created), record }, options);
	if (secret === undefined) warnOfLostSecret(webhook.id, options);
}

async function listWebhooks(options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	const webhooks = await client.webhooks.list({ signal: interrupts.stop });
	await printList(each(webhooks), WEBHOOK_FORM, options);
}

const WEBHOOK_FORM: ListForm<ListedWebhook, ReturnType<typeof listedWebhookFields>> = {
	fieldsOf: listedWebhookFields,
	csv: [],
	table: [
		{ title: 'ID' },
		{ title: 'STATE' },
		{ title: 'BEHIND', isNumber: true },
		{ title: 'TYPES' },
		{ title: 'URL' },
	],
	cells: (webhook) => [
		...[webhook.id, stateWords(webhook), String(webhook.behind)],
		...[webhook.types?.join(',') ?? 'all', webhook.url],
	],
};

async function updateWebhook(id: string, update: WebhookUpdate, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const updated = await client.webhooks.update(id, update, { signal: interrupts.stop });
	const result = { fields: changedWebhookFields(updated), record: webhookRecord(updated.webhook) };
	await printDone(`the webhook ${id} was changed`, result, options);
}

async function rotateSecret(id: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const rotated = await client.webhooks.rotateSecret(id, { signal: interrupts.stop });
	const { secret, previousExpiresAt } = rotated;
	const record = {
		...{ Id: id, Secret: secretWords(secret) },
		...(previousExpiresAt && { 'Previous until': previousExpiresAt.toISOString() }),
	};
	await printDone(`the webhook ${id} has a new secret`, { fields: rotatedSecretFields(rotated), record }, options);
	if (secret === undefined) warnOfLostSecret(id, options);
}

function secretWords(secret: string | undefined): string {
	return secret ?? 'not known';
}

function warnOfLostSecret(id: string, { json }: GlobalOptions): void {
	const remedy = `make another one with bursarctl webhooks rotate-secret ${id}`;
	warn('secret_lost', `the answer was lost, and the secret with it: ${remedy}`, json);
}

async function deleteWebhook(id: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	await askIfTerminal(`Delete the webhook ${id}?`, options, interrupts.stop);
	interrupts.changeBegins();
	const deleted = await client.webhooks.delete(id, { signal: interrupts.stop });
	const fields = { id: deleted.id, confirmed_by: deleted.confirmedBy };
	await printDone(`the webhook ${id} was deleted`, { fields, record: { Deleted: id } }, options);
}

/** @bound `webhooks test` waits for the try of its event: then it ends without it. */
const TEST_MS = 30_000;
const TEST_LOOK_MS = 500;

async function testWebhook(id: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	const signal = interrupts.stop;
	const known = new Set((await client.webhooks.tries(id, { signal })).map(({ eventId }) => eventId));
	await client.webhooks.test(id, { signal });
	const tried = await findTest(client, id, known, signal);
	if (options.json) printJson(tryFields(tried), options.json);
	else printRecord({ Result: resultWords(tried), Took: `${tried.tookMs} ms`, Answer: visible(tried.answer) });
	const isDelivered = tried.status !== undefined && tried.status >= 200 && tried.status < 300;
	if (!isDelivered) throw new CommandError('test_failed', 'the test event was not delivered', exitCodes.failed);
}

async function findTest(
	client: Bursar,
	id: string,
	known: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<WebhookTry> {
	for (const untilMs = performance.now() + TEST_MS; performance.now() < untilMs; ) {
		const tries = await client.webhooks.tries(id, { signal });
		const tried = tries.find(({ eventId, eventNumber }) => eventNumber === 0 && !known.has(eventId));
		if (tried) return tried;
		await wait(TEST_LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
	}
	const message = `the test was asked for, and no try is known yet: look with bursarctl webhooks tries ${id}`;
	throw new CommandError('not_tried', message, exitCodes.failed);
}

function resultWords({ status, failure }: WebhookTry): string {
	return status === undefined ? `no answer (${failure})` : String(status);
}

async function listTries(id: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	await printList(each(await client.webhooks.tries(id, { signal: interrupts.stop })), TRY_FORM, options);
}

/** Characters of an answer that the table shows. JSON has all of it. */
const SHOWN_CHARACTERS = 60;

const TRY_FORM: ListForm<WebhookTry, ReturnType<typeof tryFields>> = {
	fieldsOf: tryFields,
	csv: [],
	table: [
		...[{ title: 'WHEN' }, { title: 'NUMBER', isNumber: true }, { title: 'TYPE' }, { title: 'STATUS' }],
		...[{ title: 'MS', isNumber: true }, { title: 'ANSWER' }],
	],
	cells: ({ at, event_number, event_type, status, failure, took_ms, answer }) => [
		...[at, String(event_number), event_type, String(status ?? failure)],
		...[String(took_ms), answer.slice(0, SHOWN_CHARACTERS)],
	],
};

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
	yield* items;
}

function positionArgument(text: string): string {
	if (/^\d{1,15}(?:-evt_[0-9A-Za-z]{22})?$/.test(text)) return text;
	throw new InvalidArgumentError('It must be the next of an event, or a number.');
}
