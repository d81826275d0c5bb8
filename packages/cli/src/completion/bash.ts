import { type CommandNode, optionsWithValue } from './command-tree.ts';

/** A completion script for bash, from 3.2 on. */
export function bashCompletion(name: string, nodes: readonly CommandNode[]): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
	const cases = nodes.map(
		({ path, words, options }) => `	"${path}")
		words='${words.map(({ word }) => word).join(' ')}'
		options='${options.map(({ word }) => word).join(' ')}'
		;;`,
	);
	return `# bash completion of ${name}. To use it: source <(${name} completion bash)
_${name}() {
	local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
	local path='' words='' options='' index
	for ((index = 1; index < COMP_CWORD; index++)); do
		case "\${COMP_WORDS[index]}" in
		${optionsWithValue(nodes, ['text', 'file']).join(' | ')}) ((index++)) ;;
		-*) ;;
		*)
			case "$path \${COMP_WORDS[index]}" in
			${paths.join(' | ')}) path="$path \${COMP_WORDS[index]}" ;;
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
	if [[ "$current" == -* ]]; then words="$options"; fi
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _${name} ${name}
`;
}
