import { CommandError, print } from '@bursar/terminal';
import { Command } from 'commander';
import { words } from '../arguments.ts';
import { printResult } from '../output.ts';
import { actFields, movementFields, printActs, printMovements } from '../recorded.ts';
import { inSession } from '../session.ts';

/** `bursar request ID`: what one request did. */
export function requestCommand(): Command {
	const command = new Command('request').description(
		'show what one request did: its movements and acts, and who asked',
	);
	return command
		.argument('<id>', 'the X-Request-Id of the answer, or the id of a movement, a payment or a correction', words)
		.addHelpText('after', '\nExample:\n  $ bursar request 019a1c1e-7a51-7cc0-b2d4-5f3f9d6a8e10\n')
		.action((id: string, options: { json?: boolean }) => showRequest(id, options));
}

async function showRequest(id: string, { json }: { json?: boolean }): Promise<void> {
	const found = await inSession(({ store }) => store.findRequest(id));
	const [movements, acts] = [found.movements.map(movementFields), found.acts.map(actFields)];
	if (movements.length === 0 && acts.length === 0) {
		throw new CommandError(
			'unknown_request',
			'nothing is recorded for that request: it changed nothing, or there was no such request. If it was refused, the log has its line',
		);
	}
	if (json) return printResult({ request_id: id, movements, acts }, true);
	if (movements.length > 0) printMovements(movements);
	if (movements.length > 0 && acts.length > 0) print(['']);
	if (acts.length > 0) printActs(acts);
}
