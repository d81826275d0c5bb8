import { standardOutput } from '@bursar/terminal';
import { completionScript, SHELLS, type Shell } from '@bursar/terminal/completion';
import { Argument, Command } from 'commander';
import { COMPLETE_NAMES } from './complete-names.ts';

/** `bursarctl completion`. The script is made from the program's commands and options. */
export function completionCommand(program: Command): Command {
	return new Command('completion')
		.description('print a script with which a shell completes commands and options')
		.addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
		.addHelpText('after', '\nExample:\n  $ source <(bursarctl completion bash)\n')
		.action((shell: Shell) => {
			standardOutput().write(completionScript(shell, program, COMPLETE_NAMES));
		});
}
