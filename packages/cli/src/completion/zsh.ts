import { type CommandNode, type Offer, optionsWithValue } from './command-tree.ts';

/** A completion script for zsh, to be sourced or put into a folder of `fpath` as `_bursarctl`. */
export function zshCompletion(name: string, nodes: readonly CommandNode[]): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
	const cases = nodes.map(
		({ path, words, options }) => `	"${path}")
		offered=(${words.map(described).join(' ')})
		flags=(${options.map(described).join(' ')})
		;;`,
	);
	return `#compdef ${name}
# zsh completion of ${name}. To use it: source <(${name} completion zsh)
_${name}() {
	local at='' index
	local -a offered flags
	for ((index = 2; index < CURRENT; index++)); do
		case "\${words[index]}" in
		${optionsWithValue(nodes, ['text', 'file']).join(' | ')}) ((index++)) ;;
		-*) ;;
		*)
			case "$at \${words[index]}" in
			${paths.join(' | ')}) at="$at \${words[index]}" ;;
			esac
			;;
		esac
	done
	case "\${words[CURRENT - 1]}" in
	${optionsWithValue(nodes, ['file']).join(' | ')}) _files; return ;;
	${optionsWithValue(nodes, ['text']).join(' | ')}) return ;;
	esac
	case "$at" in
${cases.join('\n')}
	esac
	if [[ "$PREFIX" == -* ]]; then
		_describe -o option flags
	elif (( \${#offered} )); then
		_describe command offered
	fi
}
if [[ "\${funcstack[1]}" == "_${name}" ]]; then
	_${name} "$@"
else
	compdef _${name} ${name}
fi
`;
}

function described({ word, description }: Offer): string {
	const text = description === '' ? word : `${word}:${description.replaceAll(':', '\\:')}`;
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
