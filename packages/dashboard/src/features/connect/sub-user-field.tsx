import { searchedText } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { useDebouncedCallback } from '@mantine/hooks';
import { CallError } from '../../calls/call.ts';
import { useRead } from '../../calls/use-read.ts';
import { SuggestedInput } from '../../forms/suggested-input.tsx';
import { useUsernames } from '../../forms/suggestions.ts';
import { useDraft } from '../../lists/use-draft.ts';
import { connectTexts } from './texts.ts';

/** The name counts after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 200;

interface Props {
	readonly reseller: string;
	/** The name that counts. Empty: the reseller's own account. */
	readonly value: string;
	/** Whether there is such an account; `undefined` while that is not known. */
	readonly isKnown: boolean | undefined;
	readonly onChange: (value: string) => void;
}

/** Asks for a sub-user, and suggests names. */
export function SubUserField({ reseller, value, isKnown, onChange }: Props) {
	const [draft, setDraft] = useDraft(value);
	const suggestions = useUsernames(undefined, draft);
	const choose = useDebouncedCallback((typed: string) => {
		const { text, hidden } = searchedText(typed);
		onChange(hidden ? '' : text.toLowerCase());
	}, PAUSE_MS);
	return (
		<SuggestedInput
			label={connectTexts.subUser}
			description={connectTexts.subUserHint(reseller)}
			inputWrapperOrder={['label', 'input', 'description', 'error']}
			error={isKnown === false && connectTexts.noSuchSubUser}
			value={draft}
			maxLength={USERNAME_MAX_LENGTH}
			suggestions={suggestions}
			onType={(typed) => {
				setDraft(typed);
				choose(typed);
			}}
		/>
	);
}

/** Whether the reseller has this sub-user; `undefined` while that is not known, or if the name is not complete. */
export function useIsKnown(reseller: string | null, subUser: string): boolean | undefined {
	const username = normalizeUsername(subUser);
	const isAsked = username !== undefined && reseller !== null && username !== reseller;
	const { data, error } = useRead('/sub-user', { username: username ?? '' }, { enabled: isAsked });
	if (!isAsked) return undefined;
	if (error instanceof CallError && error.code === 'unknown_sub_user') return false;
	return data ? true : undefined;
}
