/** What completion needs to know of a command of commander. */
export interface Program {
	name(): string;
	description(): string;
	readonly commands: readonly Program[];
	readonly options: readonly ProgramOption[];
	readonly registeredArguments: readonly { name(): string; readonly argChoices?: readonly string[] | undefined }[];
}

interface ProgramOption {
	readonly flags: string;
	readonly long?: string | undefined;
	readonly description: string;
	/** Whether it needs a value. */
	readonly required: boolean;
	readonly variadic: boolean;
	readonly hidden: boolean;
	readonly argChoices?: readonly string[] | undefined;
}

/** A hidden command of the program that prints names, each a word that a shell takes as it is. */
export interface NamesCommand {
	readonly name: string;
	/** Names are offered for commands whose first argument is called so. */
	readonly argument: string;
	/** Options that say whose names they are. The scripts hand them on. */
	readonly handedOn: readonly string[];
	/** With this option, no names are offered. */
	readonly unless: string;
}

/** A command as a shell completes it. */
export interface CommandNode {
	/** The words of the command, each after a space: ` sub-user create`. Empty for the program itself. */
	readonly path: string;
	readonly words: readonly Offer[];
	readonly options: readonly OptionOffer[];
	/** What the words after the command are, besides `words`: names for the first one, or files. */
	readonly takes: 'names' | 'files' | 'nothing';
}

/** A word that can come next, with its meaning. */
export interface Offer {
	readonly word: string;
	readonly description: string;
}

export interface OptionOffer extends Offer {
	readonly value: 'none' | 'text' | 'file' | 'choice';
	/** Of a `choice`. */
	readonly choices: readonly string[];
	/** Whether it takes several values after each other. */
	readonly isVariadic: boolean;
}

const FILE = /^(file|folder)$/;
const FILE_VALUE = /<(file|folder)>/;
/** A shell could run other words. */
const PLAIN = /^[A-Za-z0-9_.:-]+$/;

/** The program and all its commands. The program's options are allowed everywhere. */
export function commandTree(program: Program, names?: NamesCommand): CommandNode[] {
	const shared = optionOffers(program);
	const help = {
		word: '--help',
		description: 'print this help',
		value: 'none',
		choices: [],
		isVariadic: false,
	} as const;
	const nodesBelow = (command: Program, path: string): CommandNode[] => {
		const children = command.commands.filter((child) => child.name() !== names?.name);
		const node = {
			path,
			words: wordsAfter(command, children),
			options: [...(command === program ? [] : optionOffers(command)), ...shared, help],
			takes: takenBy(command, names),
		};
		return [node, ...children.flatMap((child) => nodesBelow(child, `${path} ${plain(child.name())}`))];
	};
	return nodesBelow(program, '');
}

function takenBy({ registeredArguments: [first] }: Program, names: NamesCommand | undefined): CommandNode['takes'] {
	if (first === undefined) return 'nothing';
	if (first.name() === names?.argument) return 'names';
	return FILE.test(first.name()) ? 'files' : 'nothing';
}

function wordsAfter({ registeredArguments }: Program, children: readonly Program[]): Offer[] {
	const commands = children.map((child) => ({ word: child.name(), description: child.description() }));
	const choices = registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
	return [...commands, ...choices.map((word) => ({ word: plain(word), description: '' }))];
}

function optionOffers({ options }: Program): OptionOffer[] {
	return options
		.filter(({ hidden }) => !hidden)
		.map(({ flags, long = flags, description, required, variadic, argChoices = [] }) => {
			const value = !required ? 'none' : argChoices.length > 0 ? 'choice' : FILE_VALUE.test(flags) ? 'file' : 'text';
			return { word: plain(long), description, value, choices: argChoices.map(plain), isVariadic: variadic };
		});
}

function plain(word: string): string {
	if (!PLAIN.test(word)) throw new Error('a word that a shell completes must be plain');
	return word;
}

/** The options of all commands that take a value of these kinds. The word after such an option is not a command. */
export function optionsWithValue(nodes: readonly CommandNode[], kinds: readonly OptionOffer['value'][]): string[] {
	const options = nodes.flatMap((node) => node.options);
	return [...new Set(options.filter(({ value }) => kinds.includes(value)).map(({ word }) => word))];
}

/** The options with a value that have no part in which names are asked for. */
export function skippedOptions(nodes: readonly CommandNode[], names: NamesCommand | undefined): string[] {
	const heard = names === undefined ? [] : [...names.handedOn, names.unless];
	return optionsWithValue(nodes, ['text', 'file', 'choice']).filter((word) => !heard.includes(word));
}

/** The choices of each option that has some, after the path of its command: ` reseller invite --role`. */
export function choicesAt(nodes: readonly CommandNode[]): { readonly at: string; readonly words: readonly string[] }[] {
	return nodes.flatMap(({ path, options }) =>
		options
			.filter(({ value }) => value === 'choice')
			.map(({ word, choices }) => ({ at: `${path} ${word}`, words: choices })),
	);
}

/** The options that take several values after each other. */
export function variadicOptions(nodes: readonly CommandNode[]): string[] {
	const options = nodes.flatMap((node) => node.options);
	return [...new Set(options.filter(({ isVariadic }) => isVariadic).map(({ word }) => word))];
}

/** A pattern of bash and zsh for any of these words. Without words, it matches nothing that is typed. */
export function either(words: readonly string[]): string {
	return words.length === 0 ? "''" : words.join(' | ');
}
