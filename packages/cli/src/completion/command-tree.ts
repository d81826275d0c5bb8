import type { Command, Option } from 'commander';

/** A command as a shell completes it. */
export interface CommandNode {
	/** The words of the command, each after a space: ` sub-user create`. Empty for the program itself. */
	readonly path: string;
	readonly words: readonly Offer[];
	readonly options: readonly OptionOffer[];
	/** Whether the first word after the command is the name of a sub-user. */
	readonly takesName: boolean;
}

/** A hidden command that prints the names of sub-users, for the scripts. */
export const NAMES_COMMAND = 'complete-names';

/** Options that say which service the names come from. The scripts hand them on. */
export const HANDED_ON = ['--profile', '--token-file'];

/** A word that can come next, with its meaning. */
export interface Offer {
	readonly word: string;
	readonly description: string;
}

export interface OptionOffer extends Offer {
	readonly value: 'none' | 'text' | 'file';
}

/** The program and all its commands. The program's options are allowed everywhere. */
export function commandTree(program: Command): CommandNode[] {
	const shared = program.options.map(optionOffer);
	const nodesBelow = (command: Command, path: string): CommandNode[] => {
		const own = command === program ? [] : command.options.map(optionOffer);
		const help: OptionOffer = { word: '--help', description: 'print this help', value: 'none' };
		const takesName = command.registeredArguments[0]?.name() === 'username';
		const node = { path, words: wordsAfter(command), options: [...own, ...shared, help], takesName };
		return [node, ...shownCommands(command).flatMap((child) => nodesBelow(child, `${path} ${child.name()}`))];
	};
	return nodesBelow(program, '');
}

function shownCommands(command: Command): Command[] {
	return command.commands.filter((child) => child.name() !== NAMES_COMMAND);
}

function wordsAfter(command: Command): Offer[] {
	const subcommands = shownCommands(command).map((child) => ({ word: child.name(), description: child.description() }));
	const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
	return [...subcommands, ...choices.map((word) => ({ word, description: '' }))];
}

function optionOffer(option: Option): OptionOffer {
	const value = option.required ? (option.flags.includes('<file>') ? 'file' : 'text') : 'none';
	return { word: option.long ?? option.flags, description: option.description, value };
}

/** The options of all commands that take a value of these kinds. The word after such an option is not a command. */
export function optionsWithValue(nodes: readonly CommandNode[], kinds: readonly OptionOffer['value'][]): string[] {
	const options = nodes.flatMap((node) => node.options);
	return [...new Set(options.filter(({ value }) => kinds.includes(value)).map(({ word }) => word))];
}

/** The options with a value that have no part in which names are asked for. */
export function skippedOptions(nodes: readonly CommandNode[]): string[] {
	return optionsWithValue(nodes, ['text', 'file']).filter((word) => ![...HANDED_ON, '--url'].includes(word));
}
