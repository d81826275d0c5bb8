import { randomUUID } from 'node:crypto';
import { ask, CommandError, isTerminal, print, say, UsageError, withProgress } from '@bursar/terminal';
import { Command } from 'commander';
import { masterKeyFromFile, readConfig } from '../../config.ts';
import { changeStoreMasterKey, replaceStoreMasterKey } from '../../engine.ts';
import { commandLineAct } from '../command-line-act.ts';
import { printResult } from '../output.ts';

/** `bursar master-key ...` */
export function masterKeyCommand(): Command {
	const masterKey = new Command('master-key').description('Change the key that encrypts the secrets of the store.');
	masterKey.addHelpText('after', '\nExample:\n  $ bursar master-key change --to-file new.key\n');
	masterKey
		.command('change')
		.description('encrypt all secrets of the store under another master key, while no service runs')
		.requiredOption('--to-file <file>', 'a file with the new key: 32 bytes in base64')
		.addHelpText(
			'after',
			`
All proxy auth keys, and people's secrets of one-time codes, are encrypted anew in one transaction. If the command is interrupted, run it again with the same new key.
Backups that were taken before the change need the previous key.

Example:
  $ bursar master-key change --to-file new.key     # made with: (umask 077; openssl rand -base64 32 > new.key)
`,
		)
		.action((options: { toFile: string; json?: boolean }) => change(options));
	masterKey
		.command('replace')
		.description('go on under another master key if every copy of the present one is lost, while no service runs')
		.requiredOption('--lost', 'the master key of the store is lost')
		.option('-y, --yes', 'do not ask')
		.addHelpText(
			'after',
			`
The new key is the one that BURSAR_MASTER_KEY or BURSAR_MASTER_KEY_FILE names. An embedded store without these settings
makes its own, if it has no key file. Balances, the ledger, tokens, passwords and passkeys stay. What only the lost key
could open is replaced: every account gets a new proxy auth key, and all one-time codes are removed. People who had no
other second factor need a new link. If the command is interrupted, run it again with the same key.

Example:
  $ bursar master-key replace --lost
`,
		)
		.action((options: ReplaceOptions) => replace(options));
	return masterKey;
}

async function change({ toFile, json }: { toFile: string; json?: boolean }): Promise<void> {
	const config = readConfig(process.env);
	let to: Uint8Array;
	try {
		to = masterKeyFromFile(toFile, config.allowOpenKeyFiles);
	} catch (cause) {
		throw new CommandError('invalid_master_key', `${toFile}: ${(cause as Error).message}`);
	}
	const { secrets, keptIn } = await withProgress('sealing secrets', (progress) =>
		changeStoreMasterKey(config, to, {
			act: newKeyAct('change_master_key'),
			onProgress: (count) => progress.update(`sealing secrets: ${count.toLocaleString('en')}`),
		}),
	);
	printResult({ sealed: secrets ?? 0, changed: secrets !== undefined }, json);
	if (json) return;
	if (secrets === undefined) say('The store already had that master key.');
	say(
		keptIn === undefined
			? 'The store now needs the new key: set it as BURSAR_MASTER_KEY or BURSAR_MASTER_KEY_FILE.'
			: `The new key is in ${keptIn}. The previous key is next to it, for older backups. Keep copies of both elsewhere.`,
	);
}

function newKeyAct(kind: 'change_master_key' | 'replace_master_key') {
	return commandLineAct({ kind, target: '' }, `cli-${randomUUID()}`);
}

interface ReplaceOptions {
	readonly yes?: boolean;
	readonly json?: boolean;
}

const WORD = 'replace';

async function replace({ yes, json }: ReplaceOptions): Promise<void> {
	const config = readConfig(process.env);
	if (!yes) await askToReplace();
	const { authKeys, peopleWithoutLink, keptIn } = await withProgress('replacing secrets', (progress) =>
		replaceStoreMasterKey(config, {
			act: newKeyAct('replace_master_key'),
			onProgress: (count) => progress.update(`replacing secrets: ${count.toLocaleString('en')}`),
		}),
	);
	const [replaced, changed] = [authKeys ?? 0, authKeys !== undefined];
	if (json) return printResult({ replaced, changed, people_without_link: peopleWithoutLink }, json);
	printResult({ replaced, changed, people_without_link: peopleWithoutLink.length }, json);
	print(peopleWithoutLink);
	if (!changed) say('The store already had that master key.');
	if (keptIn !== undefined) say(`The key is in ${keptIn}. Keep a copy of it elsewhere.`);
	say('Next: check the books (bursar ledger verify), and start the service.');
	if (changed) say('Every account has a new proxy auth key. Tell the resellers: they find all of them with view_all.');
	if (peopleWithoutLink.length > 0) say('Send each of the people above a new link: bursar person reset EMAIL');
}

async function askToReplace(): Promise<void> {
	if (!isTerminal()) {
		throw new UsageError('there is no terminal to ask on: give --yes. Nothing was changed', 'not_confirmed');
	}
	say('Every proxy auth key stops working, and all one-time codes are removed. This cannot be undone.');
	if ((await ask(`Type "${WORD}" to go on:`)) === WORD) return;
	throw new CommandError('declined', 'not confirmed, and nothing was changed');
}
