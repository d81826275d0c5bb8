import { type CommandNode, optionsWithValue } from './command-tree.ts';

/** A completion script for fish. */
export function fishCompletion(name: string, nodes: readonly CommandNode[]): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
	const lines = nodes.flatMap(({ path, words, options }) => {
		const at = `complete -c ${name} -n ${quoted(`__${name}_at '${path}'`)}`;
		return [
			...words.map(({ word, description }) => `${at} -a ${word}${described(description)}`),
			...options.map(
				({ word, description, value }) => `${at} -l ${word.slice(2)}${VALUES[value]}${described(description)}`,
			),
		];
	});
	return `# fish completion of ${name}. To use it: ${name} completion fish | source
function __${name}_at
	set -l at ''
	set -l skips no
	for word in (commandline -opc)[2..-1]
		if test $skips = yes
			set skips no
			continue
		end
		switch $word
			case ${optionsWithValue(nodes, ['text', 'file']).join(' ')}
				set skips yes
			case '-*'
			case '*'
				switch "$at $word"
					case ${paths.join(' ')}
						set at "$at $word"
				end
		end
	end
	test "$at" = "$argv[1]"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}

const VALUES = { none: '', text: ' -x', file: ' -r -F' } as const;

function described(description: string): string {
	return description === '' ? '' : ` -d ${quoted(description)}`;
}

function quoted(text: string): string {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
