import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CallError } from '../../../api/call.ts';
import type { ActControl } from '../../../api/use-act.ts';
import { momentText } from '../../../format/time.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { Failure } from '../../../frame/failure.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { subUserQuery } from '../api/use-sub-user.ts';
import { isUnfinished, usernameProblem } from '../username-problem.ts';

interface Props {
	readonly act: ActControl;
	readonly name: string;
	/** Names that are known to be taken. */
	readonly taken: readonly string[];
	readonly onType: (name: string) => void;
	readonly onSubmit: () => void;
}

/** Asks for the name of a new sub-user, and checks it while it is typed. */
export function CreateForm({ act, name, taken, onType, onSubmit }: Props) {
	const problem = usernameProblem(name);
	const isTaken = taken.includes(normalizeUsername(name) ?? '');
	const isWrong = problem !== undefined && !isUnfinished(problem);
	return (
		<ActForm
			// That a name is taken is said of that name only.
			act={act.failure?.code === 'username_taken' ? { ...act, failure: undefined } : act}
			onSubmit={onSubmit}
			action={subUserTexts.createNow}
			isComplete={problem === undefined && !isTaken}
			failureText={failureTextOf(act, isTaken)}
			repeated={<Repeated username={name} />}
		>
			<TextInput
				label={subUserTexts.username}
				description={subUserTexts.usernameHint}
				value={name}
				onChange={(event) => onType(event.currentTarget.value.trim())}
				error={isWrong && subUserTexts.usernameProblems[problem]}
				// One more can be typed, so that it is seen why it is too long.
				maxLength={USERNAME_MAX_LENGTH + 1}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				disabled={act.isBusy}
				data-autofocus
			/>
			{!isWrong && !isTaken && (
				<Text size="sm" c="dimmed" role="status" mt={-8} mih="1.55em">
					{noteOn(name)}
				</Text>
			)}
			<Text size="sm">{subUserTexts.fee}</Text>
		</ActForm>
	);
}

/** Says of a name without faults what is still missing, or that it is possible. */
function noteOn(name: string): string {
	if (name === '') return '';
	const problem = usernameProblem(name);
	if (problem !== undefined) return subUserTexts.usernameProblems[problem];
	const username = normalizeUsername(name) ?? name;
	return username === name ? subUserTexts.isGood : subUserTexts.willBe(username);
}

function failureTextOf({ failure }: ActControl, isTaken: boolean) {
	if (isTaken) return subUserTexts.taken;
	return failure?.code === 'insufficient_balance' ? subUserTexts.tooPoor : undefined;
}

/** Looks what became of a create whose answer was lost. */
function Repeated({ username: typed }: { readonly username: string }) {
	const username = normalizeUsername(typed) ?? typed;
	const { data, error, isFetching } = useQuery({ ...subUserQuery(username), staleTime: 0, gcTime: 0 });
	if (isFetching) return subUserTexts.reading;
	if (error instanceof CallError && error.code === 'unknown_sub_user') return subUserTexts.repeatedTaken(username);
	if (!data || error) return <Failure error={error} />;
	return subUserTexts.repeatedCreate(username, momentText(data.created));
}
