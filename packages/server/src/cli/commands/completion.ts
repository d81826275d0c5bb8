import { standardOutput } from '@bursar/terminal';
import { completionScript, SHELLS, type Shell } from '@bursar/terminal/completion';
import { Argument, Command } from 'commander';
import { printResult } from '../output.ts';

/** `bursar completion`. The script is made from the program's commands and options, and never opens a store. */
export function completionCommand(program: Command): Command {
	return new Command('completion')
		.description('print a script with which a shell completes commands and options')
		.addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
		.addHelpText('after', '\nExample:\n  $ source <(bursar completion bash)\n')
		.action((shell: Shell, { json }: { json?: boolean }) => {
			const script = completionScript(shell, program);
			if (json) printResult({ shell, script }, json);
			else standardOutput().write(script);
		});
}
