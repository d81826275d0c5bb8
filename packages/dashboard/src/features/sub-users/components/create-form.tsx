import { normalizeUsername } from '@bursar/contract/username';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CallError } from '../../../api/call.ts';
import type { ActControl } from '../../../api/use-act.ts';
import { momentText } from '../../../format/time.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { Failure } from '../../../frame/failure.tsx';
import { UsernameField } from '../../../frame/username-field.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { subUserQuery } from '../api/use-sub-user.ts';

interface Props {
	readonly act: ActControl;
	readonly name: string;
	/** Names that are known to be taken. */
	readonly taken: readonly string[];
	readonly onType: (name: string) => void;
	readonly onSubmit: () => void;
}

/** Asks for the name of a new sub-user. */
export function CreateForm({ act, name, taken, onType, onSubmit }: Props) {
	const username = normalizeUsername(name);
	const isTaken = username !== undefined && taken.includes(username);
	return (
		<ActForm
			// That a name is taken is said of that name only.
			act={act.failure?.code === 'username_taken' ? { ...act, failure: undefined } : act}
			onSubmit={onSubmit}
			action={subUserTexts.createNow}
			isComplete={username !== undefined && !isTaken}
			failureText={failureTextOf(act, isTaken)}
			repeated={<Repeated username={name} />}
		>
			<UsernameField
				label={subUserTexts.username}
				value={name}
				onType={onType}
				disabled={act.isBusy}
				isTaken={isTaken}
			/>
			<Text size="sm">{subUserTexts.fee}</Text>
		</ActForm>
	);
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
