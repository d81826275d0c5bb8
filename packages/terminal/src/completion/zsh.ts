import {
	type CommandNode,
	choicesAt,
	either,
	type NamesCommand,
	type Offer,
	optionsWithValue,
	skippedOptions,
	variadicOptions,
} from './command-tree.ts';

/** A completion script for zsh, to be sourced or put into a folder of `fpath` under the name of its function. */
export function zshCompletion(name: string, nodes: readonly CommandNode[], names?: NamesCommand): string {
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
	const cases = nodes.map(
		({ path, words, options, takes }) => `	"${path}")
		takes=${takes}
		offered=(${words.map(described).join(' ')})
		flags=(${options.map(described).join(' ')})
		;;`,
	);
	const choices = choicesAt(nodes).map(
		({ at, words }) =>
			`		"${at}") offered=(${words.map((word) => described({ word, description: '' })).join(' ')}) ;;\n`,
	);
	return `#compdef ${name}
# zsh completion of ${name}. To use it: source <(${name} completion zsh)
_${name}() {
	local at='' takes='' option='' previous="\${words[CURRENT - 1]}" index given=0
	local -a offered flags handed found
	for ((index = 2; index < CURRENT; index++)); do
		[[ "\${words[index]}" == -* ]] && option="\${words[index]}"
		case "\${words[index]}" in
${names === undefined ? '' : namesOptions(names)}		${either(skippedOptions(nodes, names))}) ((index++)) ;;
		-*) ;;
		*)
			case "$at \${words[index]}" in
			${either(paths)}) at="$at \${words[index]}" ;;
			*) given=1 ;;
			esac
			;;
		esac
	done
	case "$previous" in
	${either(optionsWithValue(nodes, ['file']))}) _files; return ;;
	${either(optionsWithValue(nodes, ['text']))}) return ;;
	esac
	case "$at" in
${cases.join('\n')}
	esac
	case "$option" in
	"$previous" | ${either(variadicOptions(nodes))})
		case "$at $option" in
${choices.join('')}		esac
		;;
	esac
	if [[ "$PREFIX" == -* ]]; then
		_describe -o option flags
	elif (( \${#offered} )); then
		_describe command offered
	elif [[ "$takes" == files ]]; then
		_files
${names === undefined ? '' : namesAsked(name, names)}	fi
}
if [[ "\${funcstack[1]}" == "_${name}" ]]; then
	_${name} "$@"
else
	compdef _${name} ${name}
fi
`;
}

function namesOptions({ handedOn, unless }: NamesCommand): string {
	return `		${handedOn.join(' | ')})
			handed+=("\${words[index]}" "\${words[index + 1]}")
			((index++))
			;;
		${handedOn.map((option) => `${option}=*`).join(' | ')}) handed+=("\${words[index]}") ;;
		${unless})
			given=1
			((index++))
			;;
		${unless}=*) given=1 ;;
`;
}

function namesAsked(program: string, { name }: NamesCommand): string {
	return `	elif [[ "$takes" == names && "$given" == 0 ]]; then
		found=(\${(f)"$(${program} ${name} "\${handed[@]}" -- "$PREFIX" 2>/dev/null </dev/null)"})
		compadd -a found
`;
}

function described({ word, description }: Offer): string {
	const shown = word.replaceAll(':', '\\:');
	const text = description === '' ? shown : `${shown}:${description.replaceAll(':', '\\:')}`;
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
