import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { Text } from '@mantine/core';
import { PlainTextInput } from './plain-text-input.tsx';
import { usernameTexts } from './texts.ts';
import { isUnfinished, usernameProblem } from './username-problem.ts';

interface Props {
	readonly label: string;
	/** The name as it was typed. */
	readonly value: string;
	readonly onType: (name: string) => void;
	readonly disabled: boolean;
	/** What else is known of a name whose form is right. */
	readonly known?: string;
}

/** Asks for the name of a new account, and checks it while it is typed. The focus of its dialog begins here. */
export function UsernameField({ label, value, onType, disabled, known = '' }: Props) {
	const problem = usernameProblem(value);
	const isWrong = problem !== undefined && !isUnfinished(problem);
	return (
		<>
			<PlainTextInput
				label={label}
				description={usernameTexts.hint}
				value={value}
				onType={(name) => onType(name.trim())}
				error={isWrong && usernameTexts.problems[problem]}
				// One more can be typed, so that it is seen why it is too long.
				maxLength={USERNAME_MAX_LENGTH + 1}
				disabled={disabled}
				isName
				isFirst
			/>
			{!isWrong && (
				<Text size="sm" c="dimmed" role="status" mt={-8} mih="1.55em">
					{hintFor(value, known)}
				</Text>
			)}
		</>
	);
}

/** What a name without faults still lacks, or what is known of it. */
function hintFor(name: string, known: string): string {
	if (name === '') return '';
	const problem = usernameProblem(name);
	if (problem !== undefined) return usernameTexts.problems[problem];
	const username = normalizeUsername(name) ?? name;
	return [username === name ? usernameTexts.isWellFormed : usernameTexts.willBe(username), known].join(' ').trim();
}
