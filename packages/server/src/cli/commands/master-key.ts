import { CommandError, say, withProgress } from '@bursar/terminal';
import { Command } from 'commander';
import { masterKeyFromFile, readConfig } from '../../config.ts';
import { changeStoreMasterKey } from '../../engine.ts';
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
	return masterKey;
}

async function change({ toFile, json }: { toFile: string; json?: boolean }): Promise<void> {
	const config = readConfig(process.env);
	let to: Uint8Array;
	try {
		to = masterKeyFromFile(toFile);
	} catch (cause) {
		throw new CommandError('invalid_master_key', `${toFile}: ${(cause as Error).message}`);
	}
	const { secrets, keptIn } = await withProgress('sealing secrets', (progress) =>
		changeStoreMasterKey(config, to, (count) => progress.update(`sealing secrets: ${count.toLocaleString('en')}`)),
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
