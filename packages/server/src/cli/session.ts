import { randomUUID } from 'node:crypto';
import type { Bank } from '../bank/bank.ts';
import type { Config } from '../config.ts';
import type { Store, StoreOpening } from '../store/store.ts';
import { actOfCommand } from './command-line-act.ts';
import { isStoreNamed } from './installed-settings.ts';
import { type Refused, refusalError } from './refusals.ts';

/** Everything that a command of the operator works with. */
export interface Session {
	readonly config: Config;
	readonly store: Store;
	/** Uses the same rules and the same group commit as the service. Records what is done. */
	readonly bank: Pick<Bank, 'submit' | 'changePerson' | 'recordUsage' | 'keep'>;
	/** Written into the ledger rows of this session. */
	readonly requestId: string;
}

/**
 * An import may wait long for other writers and for the disk, and no command of its own process waits for it.
 * @bound Steps of an import that run at once, and how long a step waits before it starts: then the import ends with
 * an error.
 */
const IMPORTING = { maxWaitMs: 60_000, answerLimitMs: Number.POSITIVE_INFINITY, atOnce: 2 };

/**
 * Opens the store that the environment names, runs the work on it, and always closes it. `mayCreate` is for a command
 * that begins a business, and it does so only where the environment says: any other folder without a store is a wrong
 * one. Only `bursar migrate` may migrate: the old version may still serve the store. The parts are loaded here, because a
 * help page does not need them.
 */
export async function inSession<Result>(
	work: (session: Session) => Promise<Result>,
	{ mayCreate = false, mayMigrate = false }: StoreOpening = {},
): Promise<Result> {
	const [{ createBank }, { readConfig }, { openStore }, { WrongMasterKeyError }] = await Promise.all([
		import('../bank/bank.ts'),
		import('../config.ts'),
		import('../engine.ts'),
		import('../store/store.ts'),
	]);
	const config = readConfig(process.env);
	const store = await openStore(config, { mayCreate: mayCreate && isStoreNamed(process.env), mayMigrate });
	const requestId = `cli-${randomUUID()}`;
	let fault: unknown;
	const bank = createBank(store, {
		usage: IMPORTING,
		observer: {
			batchDone() {},
			fault(cause) {
				fault = cause;
			},
		},
	});
	/** Throws with the cause if a command was refused because of a fault. */
	function explained<Result extends { readonly ok: boolean }>(outcome: Result): Result {
		if (fault instanceof WrongMasterKeyError) throw fault;
		if (!outcome.ok && fault instanceof Error) throw refusalError(outcome as unknown as Refused, fault);
		return outcome;
	}
	try {
		return await work({
			config,
			store,
			bank: {
				submit: async (command) => {
					await store.startWriting?.();
					const recorded: typeof command = { ...command, act: command.act ?? actOfCommand(command, requestId) };
					return explained(await bank.submit(recorded));
				},
				changePerson: async (command) => {
					await store.startWriting?.();
					const recorded: typeof command = { ...command, unattended: actOfCommand(command, requestId) };
					return explained(await bank.changePerson(recorded));
				},
				recordUsage: async (sender, reports) => {
					await store.startWriting?.();
					return bank.recordUsage(sender, reports);
				},
				keep: async (record) => {
					await store.startWriting?.();
					return bank.keep(record);
				},
			},
			requestId,
		});
	} finally {
		// Reports may still wait, if an import has failed.
		await bank.stop();
		await store.close();
	}
}
