import {
	type CommandNode,
	HANDED_ON,
	NAMES_COMMAND,
	type Offer,
	optionsWithValue,
	skippedOptions,
} from './command-tree.ts';

/** A completion script for zsh, to be sourced or put into a folder of `fpath` as `_bursarctl`. */
export function zshCompletion(name: string, nodes: readonly CommandNode[]): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
	const cases = nodes.map(
		({ path, words, options, takesName }) => `	"${path}")${takesName ? '\n\t\tnames=yes' : ''}
		offered=(${words.map(described).join(' ')})
		flags=(${options.map(described).join(' ')})
		;;`,
	);
	return `#compdef ${name}
# zsh completion of ${name}. To use it: source <(${name} completion zsh)
_${name}() {
	local at='' names='' index given=0
	local -a offered flags handed found
	for ((index = 2; index < CURRENT; index++)); do
		case "\${words[index]}" in
		${HANDED_ON.join(' | ')})
			handed+=("\${words[index]}" "\${words[index + 1]}")
			((index++))
			;;
		${HANDED_ON.map((option) => `${option}=*`).join(' | ')}) handed+=("\${words[index]}") ;;
		--url)
			given=1
			((index++))
			;;
		--url=*) given=1 ;;
		${skippedOptions(nodes).join(' | ')}) ((index++)) ;;
		-*) ;;
		*)
			case "$at \${words[index]}" in
			${paths.join(' | ')}) at="$at \${words[index]}" ;;
			*) given=1 ;;
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
	elif [[ "$names" == yes && "$given" == 0 ]]; then
		found=(\${(f)"$(${name} ${NAMES_COMMAND} "\${handed[@]}" -- "$PREFIX" 2>/dev/null </dev/null)"})
		compadd -a found
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
