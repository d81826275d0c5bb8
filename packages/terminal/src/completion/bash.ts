import {
	type CommandNode,
	choicesAt,
	either,
	type NamesCommand,
	optionsWithValue,
	skippedOptions,
	variadicOptions,
} from './command-tree.ts';

/** A completion script for bash, from 3.2 on. */
export function bashCompletion(name: string, nodes: readonly CommandNode[], names?: NamesCommand): string {
	const own = `_${name.replaceAll('-', '_')}`;
	const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
	const cases = nodes.map(
		({ path, words, options, takes }) => `	"${path}")
		takes=${takes}
		words='${words.map(({ word }) => word).join(' ')}'
		options='${options.map(({ word }) => word).join(' ')}'
		;;`,
	);
	const choices = choicesAt(nodes).map(({ at, words }) => `		"${at}") takes=words words='${words.join(' ')}' ;;\n`);
	return `# bash completion of ${name}. To use it: source <(${name} completion bash)
${own}() {
	local path='' words='' options='' takes='' option='' current previous index last given=0
	COMPREPLY=()
	local -a handed=() typed=("\${COMP_WORDS[0]}")
	# Bash makes three words of one with a colon.
	for ((index = 1; index <= COMP_CWORD; index++)); do
		last=$((\${#typed[@]} - 1))
		if [[ "\${COMP_WORDS[index]}" == : || "\${typed[last]}" == *: ]]; then
			typed[last]+="\${COMP_WORDS[index]}"
		else
			typed+=("\${COMP_WORDS[index]}")
		fi
	done
	last=$((\${#typed[@]} - 1))
	current="\${typed[last]}" previous="\${typed[last - 1]}"
	for ((index = 1; index < last; index++)); do
		[[ "\${typed[index]}" == -* ]] && option="\${typed[index]}"
		case "\${typed[index]}" in
${names === undefined ? '' : namesOptions(names)}		${either(skippedOptions(nodes, names))}) ((index++)) ;;
		-*) ;;
		*)
			case "$path \${typed[index]}" in
			${either(paths)}) path="$path \${typed[index]}" ;;
			*) given=1 ;;
			esac
			;;
		esac
	done
	case "$path" in
${cases.join('\n')}
	esac
	case "$previous" in
	${either(optionsWithValue(nodes, ['file']))}) takes=files ;;
	${either(optionsWithValue(nodes, ['text']))}) takes=words words='' ;;
	*) [[ "$current" == -* ]] && takes=words words="$options" ;;
	esac
	case "$option" in
	"$previous" | ${either(variadicOptions(nodes))})
		[[ "$current" == -* ]] || case "$path $option" in
${choices.join('')}		esac
		;;
	esac
	case "$takes" in
	files)
		local IFS=$'\\n'
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$current"))
		return
		;;
${names === undefined ? '' : namesAsked(name, names)}	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
	if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]] && ((\${#COMPREPLY[@]})); then
		COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
	fi
}
complete -F ${own} ${name}
`;
}

function namesOptions({ handedOn, unless }: NamesCommand): string {
	return `		${handedOn.join(' | ')})
			handed+=("\${typed[index]}" "\${typed[index + 1]}")
			((index++))
			;;
		${unless})
			given=1
			((index++))
			;;
`;
}

function namesAsked(program: string, { name }: NamesCommand): string {
	return `	names)
		[[ "$given" == 0 ]] || return
		COMPREPLY=($(${program} ${name} \${handed[@]+"\${handed[@]}"} -- "$current" 2>/dev/null </dev/null))
		return
		;;
`;
}
