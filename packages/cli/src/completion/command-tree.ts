import type { Command, Option } from 'commander';

/** A command as a shell completes it. */
export interface CommandNode {
	/** The words of the command, each after a space: ` sub-user create`. Empty for the program itself. */
	readonly path: string;
	readonly words: readonly Offer[];
	readonly options: readonly OptionOffer[];
}

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
		const node = { path, words: wordsAfter(command), options: [...own, ...shared, help] };
		return [node, ...command.commands.flatMap((child) => nodesBelow(child, `${path} ${child.name()}`))];
	};
	return nodesBelow(program, '');
}

function wordsAfter(command: Command): Offer[] {
	const subcommands = command.commands.map((child) => ({ word: child.name(), description: child.description() }));
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
