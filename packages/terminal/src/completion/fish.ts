import {
	type CommandNode,
	type NamesCommand,
	type OptionOffer,
	optionsWithValue,
	skippedOptions,
} from './command-tree.ts';

/** A completion script for fish. */
export function fishCompletion(name: string, nodes: readonly CommandNode[], names?: NamesCommand): string {
	const own = `__${name.replaceAll('-', '_')}`;
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
	const lines = nodes.flatMap(({ path, words, options, takes }) => {
		const at = `complete -c ${name} -n ${quoted(`${own}_at '${path}'`)}`;
		return [
			...(takes === 'names' ? [`${at} -a '(${own}_names)'`] : []),
			...(takes === 'files' ? [`${at} -F`] : []),
			...words.map(({ word, description }) => `${at} -a ${word}${described(description)}`),
			...options.map(
				(option) => `${at} -l ${option.word.slice(2)}${flagsOfValue(option)}${described(option.description)}`,
			),
		];
	});
	return `# fish completion of ${name}. To use it: ${name} completion fish | source
function ${own}_at
	set -l at ''
	set -l skips no
	for word in (commandline -opc)[2..-1]
		if test $skips = yes
			set skips no
			continue
		end
		switch $word
			case ${any(optionsWithValue(nodes, ['text', 'file', 'choice']))}
				set skips yes
			case '-*'
			case '*'
				switch "$at $word"
					case ${any(paths)}
						set at "$at $word"
				end
		end
	end
	test "$at" = "$argv[1]"
end
${names === undefined ? '' : namesFunction({ name, own, paths, skipped: skippedOptions(nodes, names) }, names)}complete -c ${name} -f
${lines.join('\n')}
`;
}

interface Parts {
	readonly name: string;
	/** How the names of the functions begin. */
	readonly own: string;
	readonly paths: readonly string[];
	readonly skipped: readonly string[];
}

function namesFunction(
	{ name, own, paths, skipped }: Parts,
	{ name: command, handedOn, unless }: NamesCommand,
): string {
	return `function ${own}_names
	set -l at ''
	set -l handed
	set -l next ''
	for word in (commandline -opc)[2..-1]
		if test -n "$next"
			test $next = handed; and set -a handed $word
			set next ''
			continue
		end
		switch $word
			case ${handedOn.join(' ')}
				set -a handed $word
				set next handed
			case ${handedOn.map((option) => `'${option}=*'`).join(' ')}
				set -a handed $word
			case ${unless} '${unless}=*'
				return
			case ${any(skipped)}
				set next skipped
			case '-*'
			case '*'
				switch "$at $word"
					case ${any(paths)}
						set at "$at $word"
					case '*'
						return
				end
		end
	end
	${name} ${command} $handed -- (commandline -ct) 2>/dev/null </dev/null
end
`;
}

/** Words of a case. Without words, it matches nothing that is typed. */
function any(words: readonly string[]): string {
	return words.length === 0 ? "''" : words.join(' ');
}

function flagsOfValue({ value, choices }: OptionOffer): string {
	switch (value) {
		case 'none':
			return '';
		case 'text':
			return ' -x';
		case 'file':
			return ' -r -F';
		case 'choice':
			return ` -x -a '${choices.join(' ')}'`;
	}
}

function described(description: string): string {
	return description === '' ? '' : ` -d ${quoted(description)}`;
}

function quoted(text: string): string {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
