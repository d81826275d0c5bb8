import { setTimeout as wait } from 'node:timers/promises';
import type { SentEvent } from '@bursar/client';
import { printMore, say, UsageError } from '@bursar/terminal';
import { isWebhookSecret, newWebhookSecret, signedHeaders } from '@bursar/terminal/webhooks';
import { Command, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import { jsonText, printsFields } from '../output/json.ts';
import { openSession } from '../session.ts';
import { secretIn } from '../token.ts';
import { addPlaceOptions, type PlaceOptions, tellOfOutages } from './events.ts';

interface Options extends GlobalOptions, PlaceOptions {
	readonly forwardTo: string;
	readonly secretFile?: string;
}

/** @bound One try to send an event to the program of a developer: then the try fails. */
const TRY_MS = 15_000;
/** @bound Tries of an event, with these waits between them: then the next event is sent. */
const WAITS_MS = [1_000, 2_000, 4_000];

/** `bursarctl webhooks listen` */
export function listenCommand(): Command {
	const listen = new Command('listen')
		.description('send your events to a program on your machine, signed as a webhook is, until Ctrl-C')
		.requiredOption('--forward-to <url>', 'where that program listens, http or https', urlArgument)
		.option('--secret-file <file>', 'file with the secret (default: BURSAR_WEBHOOK_SECRET, or a new one)')
		.addHelpText(
			'after',
			'\nExample:\n  $ bursarctl webhooks listen --forward-to http://localhost:3000/bursar/events\n',
		)
		.action((_options: unknown, command: Command) => forwardEvents(command.optsWithGlobals()));
	return printsFields(addPlaceOptions(listen, 'newest'), FIELDS);
}

async function forwardEvents(options: Options): Promise<void> {
	const { json, after = 'newest', types, forwardTo } = options;
	const { client, interrupts } = openSession(options);
	const secret = secretOf(options);
	const signal = interrupts.stop;
	const events = client.events.followSent({
		...{ after, signal, onEvent: tellOfOutages(json) },
		...(types && { types }),
		onNext: (next) => say(json ? JSON.stringify({ next }) : `no event until ${next}`),
	});
	for await (const event of events) {
		for (const waitMs of [...WAITS_MS, undefined]) {
			const result = await post(forwardTo, event, secret, signal);
			// The reader of the output may have ended.
			if (!(await printMore([json ? jsonText(resultFields(event, result), json) : line(event, result)]))) return;
			if (isDelivered(result) || waitMs === undefined) break;
			await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
		}
	}
}

/** A new one is told, so that the developer can give it to the program. */
function secretOf({ secretFile, json }: Options): string {
	const given = secretFile === undefined ? process.env.BURSAR_WEBHOOK_SECRET : secretIn(secretFile, 'secret', json);
	if (given) {
		if (isWebhookSecret(given)) return given;
		throw new UsageError('the secret must be whsec_ and the base64 of 32 bytes');
	}
	const secret = newWebhookSecret();
	say(json ? JSON.stringify({ secret }) : `The secret is ${secret}`);
	return secret;
}

interface Result {
	/** `null` if there was no answer. */
	readonly status: number | null;
	/** Why there was none. */
	readonly failure: string | null;
	readonly tookMs: number;
}

/** Makes one try. Rejects only with the reason of `stop`. */
async function post(url: string, { id, body }: SentEvent, secret: string, stop: AbortSignal): Promise<Result> {
	const begunAtMs = performance.now();
	const ended = (status: number | null, failure: string | null) => {
		return { status, failure, tookMs: Math.round(performance.now() - begunAtMs) };
	};
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				...signedHeaders({ id, atMs: Date.now(), body, secrets: [secret] }),
			},
			body,
			redirect: 'manual',
			signal: AbortSignal.any([stop, AbortSignal.timeout(TRY_MS)]),
		});
		await response.body?.cancel();
		return ended(response.status, null);
	} catch (error) {
		stop.throwIfAborted();
		return ended(null, failureWords(error));
	}
}

/** Without the URL, which may have a secret of the receiver. */
function failureWords(error: unknown): string {
	const { name, cause } = error as Error;
	if (name === 'TimeoutError') return 'timeout';
	return (cause as NodeJS.ErrnoException | undefined)?.code ?? 'connection';
}

function isDelivered({ status }: Result): boolean {
	return status !== null && status >= 200 && status < 300;
}

function line({ number, type }: SentEvent, { status, failure, tookMs }: Result): string {
	return `${number}  ${type}  ${status ?? failure}  ${tookMs} ms`;
}

function resultFields({ id, number, type, next }: SentEvent, { status, failure, tookMs }: Result) {
	return { number, id, type, status, failure, took_ms: tookMs, next };
}
const FIELDS: readonly (keyof ReturnType<typeof resultFields>)[] = [
	...(['number', 'id', 'type', 'status', 'failure', 'took_ms', 'next'] as const),
];

function urlArgument(text: string): string {
	const url = URL.parse(text);
	const isPlain = url !== null && url.username === '' && url.password === '';
	if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
	throw new InvalidArgumentError('It must begin with http:// or https://, and have no user and no password.');
}
