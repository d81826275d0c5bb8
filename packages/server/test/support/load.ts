import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { allEndpoints, endpoints, type RecordedChange } from '@bursar/contract';
import type { Random } from '@bursar/testing/random';
import { type Connection, openConnection, type Reply } from '@bursar/testing/wire';

/** A command that was sent. Its amount or its username identifies it. */
export interface Operation {
	/** Unique in a workload. A transfer's amount in USD cents. */
	readonly number: number;
	readonly kind: 'create' | 'create_taken' | 'give' | 'take' | 'reset';
	readonly username: string;
	/** The sub-user whose connection sent it. */
	readonly connection: string;
	readonly reply: Reply;
	/** From the request to the reply, in milliseconds. */
	readonly tookMs: number;
}

/** Several connections that each send one command after another. */
export interface Load {
	/** The finished operations, answered or failed, in the order in which they finished. */
	readonly operations: readonly Operation[];
	/** Waits for the operations in flight. */
	stop(): Promise<readonly Operation[]>;
}

/** A reseller with one sub-user for each connection. No command runs out of balance. */
export interface Workload {
	readonly token: string;
	readonly usernames: readonly string[];
	/** Runs until `stop` or the end of the test. The connections are spread over the servers. */
	start(...urls: readonly string[]): Load;
	/** Sends one command on its own connection. */
	send(url: string, kind: Operation['kind'], username?: string): Promise<Operation>;
	/** Asks the service what became of each operation, and returns what it did, by its number. */
	look(url: string, operations: readonly Operation[]): Promise<Looks>;
}

/** What each operation did, by its number. `null` if it did nothing. */
export type Looks = ReadonlyMap<number, RecordedChange | null>;

/** The number of operations that succeeded. */
export function successesAmong(operations: readonly Operation[]): number {
	return operations.filter(({ reply }) => reply.kind === 'answered' && reply.status === 200).length;
}

/** The reseller's opening balance, in USD cents. */
export const WORKLOAD_BALANCE_CENTS = 10 ** 15;
/** The longest pause of a connection between two commands. Without pauses, the load uses all of the machine. */
const MAX_PAUSE_MS = process.env.BURSAR_TEST_FAULTS === 'long' ? 0 : 25;
/** More than the sum of all amounts of a run. */
const FIRST_AMOUNT_CENTS = 10 ** 12;

const MIX: readonly Operation['kind'][] = [
	...Array<Operation['kind']>(8).fill('give'),
	...Array<Operation['kind']>(6).fill('take'),
	...Array<Operation['kind']>(3).fill('create'),
	'create_taken',
	'reset',
	'reset',
];

const PATHS = {
	create: endpoints.createSubUser.path,
	create_taken: endpoints.createSubUser.path,
	give: endpoints.giveBalance.path,
	take: endpoints.takeBalance.path,
	reset: endpoints.resetAuthKey.path,
} as const;

/** The id with which the operation is sent. */
export function changeIdOf(number: number): string {
	return `load-${String(number).padStart(12, '0')}`;
}

/** Creates the sub-users, and gives each a balance. */
export async function openWorkload(
	test: TestContext,
	url: string,
	{ token, random, connections }: { readonly token: string; readonly random: Random; readonly connections: number },
): Promise<Workload> {
	const usernames = Array.from({ length: connections }, (_, index) => `load.user.${index}`);
	let numbers = 0;
	let testEnded = false;
	test.after(() => {
		testEnded = true;
	});
	const first = openConnection();
	for (const username of usernames) {
		await demand(first, url, token, PATHS.create, { username });
		await demand(first, url, token, PATHS.give, { username, amount_usd_cents: FIRST_AMOUNT_CENTS });
	}
	first.close();

	async function operate(
		connection: Connection,
		url: string,
		kind: Operation['kind'],
		own: string,
	): Promise<Operation> {
		const number = ++numbers;
		const username = kind === 'create' ? `made.${number}` : own;
		const isTransfer = kind === 'give' || kind === 'take';
		const body = { username, ...(isTransfer && { amount_usd_cents: number }) };
		const sinceMs = performance.now();
		const reply = await connection.send(url, PATHS[kind], { token, body, changeId: changeIdOf(number) });
		return { number, kind, username, connection: own, reply, tookMs: performance.now() - sinceMs };
	}

	return {
		token,
		usernames,
		start(...urls) {
			const operations: Operation[] = [];
			let stopped = false;
			const running = usernames.map(async (username, index) => {
				const url = urls[index % urls.length] as string;
				const connection = openConnection();
				while (!stopped && !testEnded) {
					const kind = MIX[random.below(MIX.length)] as Operation['kind'];
					const operation = await operate(connection, url, kind, username);
					operations.push(operation);
					// Retries a dead server after a longer pause.
					const pauseMs = operation.reply.kind === 'answered' ? MAX_PAUSE_MS * random.next() : 5;
					if (pauseMs > 0) await setTimeout(pauseMs);
				}
				connection.close();
			});
			return {
				operations,
				async stop() {
					stopped = true;
					await Promise.all(running);
					return operations;
				},
			};
		},
		async send(url, kind, username = usernames[0] as string) {
			const connection = openConnection();
			const operation = await operate(connection, url, kind, username);
			connection.close();
			return operation;
		},
		async look(url, operations) {
			const looks = new Map<number, RecordedChange | null>();
			const connection = openConnection();
			for (const { number } of operations) {
				const { path } = allEndpoints.viewChange;
				looks.set(number, await demand(connection, url, token, path, { change_id: changeIdOf(number) }));
			}
			connection.close();
			return looks;
		},
	};
}

/** Returns the data of a success, and throws for any other reply. */
async function demand<Data>(
	connection: Connection,
	url: string,
	token: string,
	path: string,
	body: unknown,
): Promise<Data> {
	const reply = await connection.send(url, path, { token, body });
	if (reply.kind !== 'answered' || reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`);
	return reply.data;
}
