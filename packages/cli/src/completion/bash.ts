import { type CommandNode, HANDED_ON, NAMES_COMMAND, optionsWithValue, skippedOptions } from './command-tree.ts';

/** A completion script for bash, from 3.2 on. */
export function bashCompletion(name: string, nodes: readonly CommandNode[]): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
	const cases = nodes.map(
		({ path, words, options, takesName }) => `	"${path}")${takesName ? '\n\t\tnames=yes' : ''}
		words='${words.map(({ word }) => word).join(' ')}'
		options='${options.map(({ word }) => word).join(' ')}'
		;;`,
	);
	return `# bash completion of ${name}. To use it: source <(${name} completion bash)
_${name}() {
	local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
	local path='' words='' options='' names='' index given=0
	local -a handed=()
	for ((index = 1; index < COMP_CWORD; index++)); do
		case "\${COMP_WORDS[index]}" in
		${HANDED_ON.join(' | ')})
			handed+=("\${COMP_WORDS[index]}" "\${COMP_WORDS[index + 1]}")
			((index++))
			;;
		--url)
			given=1
			((index++))
			;;
		${skippedOptions(nodes).join(' | ')}) ((index++)) ;;
		-*) ;;
		*)
			case "$path \${COMP_WORDS[index]}" in
			${paths.join(' | ')}) path="$path \${COMP_WORDS[index]}" ;;
			*) given=1 ;;
			esac
			;;
		esac
	done
	case "$previous" in
	${optionsWithValue(nodes, ['file']).join(' | ')})
		local IFS=$'\\n'
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$current"))
		return
		;;
	${optionsWithValue(nodes, ['text']).join(' | ')})
		COMPREPLY=()
		return
		;;
	esac
	case "$path" in
${cases.join('\n')}
	esac
	if [[ "$current" == -* ]]; then
		words="$options"
	elif [[ "$names" == yes && "$given" == 0 ]]; then
		COMPREPLY=($(${name} ${NAMES_COMMAND} \${handed[@]+"\${handed[@]}"} -- "$current" 2>/dev/null </dev/null))
		return
	fi
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _${name} ${name}
`;
}
