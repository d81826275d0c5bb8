import type { CommandNode, OptionOffer } from './command-tree.ts';

/** The options of all commands that take a value of these kinds. The word after such an option is not a command. */
export function optionsWithValue(nodes: readonly CommandNode[], kinds: readonly OptionOffer['value'][]): string[] {
	const options = nodes.flatMap((node) => node.options);
	return [...new Set(options.filter(({ value }) => kinds.includes(value)).map(({ word }) => word))];
}
