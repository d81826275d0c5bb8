import { bashCompletion } from './bash.ts';
import { commandTree, type NamesCommand, type Program } from './command-tree.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

export { commandTree, type NamesCommand, optionsWithValue } from './command-tree.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export type Shell = keyof typeof SCRIPTS;

/** The shells for which there is a script. */
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** A script with which a shell completes the commands, the options and their values of a program. */
export function completionScript(shell: Shell, program: Program, names?: NamesCommand): string {
	return SCRIPTS[shell](program.name(), commandTree(program, names), names);
}
