import { standardOutput } from '@bursar/terminal';
import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { commandTree } from '../completion/command-tree.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `bursarctl completion`. The script is made from the program's commands and options. */
export function completionCommand(program: Command): Command {
	return new Command('completion')
		.description('print a script with which a shell completes commands and options')
		.addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
		.addHelpText('after', '\nExample:\n  $ source <(bursarctl completion bash)\n')
		.action((shell: keyof typeof SCRIPTS) => {
			standardOutput().write(SCRIPTS[shell](program.name(), commandTree(program)));
		});
}
