import { type CommandNode, HANDED_ON, NAMES_COMMAND, optionsWithValue, skippedOptions } from './command-tree.ts';

/** A completion script for fish. */
export function fishCompletion(name: string, nodes: readonly CommandNode[]): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
	const lines = nodes.flatMap(({ path, words, options, takesName }) => {
		const at = `complete -c ${name} -n ${quoted(`__${name}_at '${path}'`)}`;
		return [
			...(takesName ? [`${at} -a '(__${name}_names)'`] : []),
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
function __${name}_names
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
			case ${HANDED_ON.join(' ')}
				set -a handed $word
				set next handed
			case ${HANDED_ON.map((option) => `'${option}=*'`).join(' ')}
				set -a handed $word
			case --url '--url=*'
				return
			case ${skippedOptions(nodes).join(' ')}
				set next skipped
			case '-*'
			case '*'
				switch "$at $word"
					case ${paths.join(' ')}
						set at "$at $word"
					case '*'
						return
				end
		end
	end
	${name} ${NAMES_COMMAND} $handed -- (commandline -ct) 2>/dev/null </dev/null
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
