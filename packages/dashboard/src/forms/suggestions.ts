import { searchedText } from '@bursar/contract/dashboard';
import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from '../calls/use-read.ts';

// What fields suggest while a text is typed. Operators name the reseller; otherwise it is that of the person.

/** The service is asked after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 200;
/** @bound Suggestions below a field: the rest is left out. */
const MOST_SUGGESTIONS = 8;

/** Sub-users by the beginning of their names. */
export function useUsernames(reseller: string | undefined, typed: string): readonly string[] {
	const search = useAsked(typed).toLowerCase();
	const isAsked = /^[a-z0-9._]+$/.test(search);
	const query = { search, order: 'name' } as const;
	const own = useRead('/sub-users', query, { keepsPrevious: true, enabled: isAsked && reseller === undefined });
	const theirs = useRead(
		'/operator/sub-users',
		{ ...query, reseller: reseller ?? '' },
		{ keepsPrevious: true, enabled: isAsked && reseller !== undefined },
	);
	const { data } = reseller === undefined ? own : theirs;
	return isAsked ? first(data?.sub_users.map(({ username }) => username)) : [];
}

/** Resellers by the beginning of their names, for operators. */
export function useResellers(typed: string): readonly string[] {
	const search = useAsked(typed).toLowerCase();
	const isAsked = /^[a-z0-9._]+$/.test(search);
	const { data } = useRead('/operator/resellers', { search }, { keepsPrevious: true, enabled: isAsked });
	return isAsked ? first(data?.resellers.map(({ reseller }) => reseller)) : [];
}

/** References of the newest transactions by a part. */
export function useReferences(reseller: string | undefined, typed: string): readonly string[] {
	const text = useAsked(typed);
	const isAsked = text !== '';
	const own = useRead(
		'/statement/references',
		{ text },
		{ keepsPrevious: true, enabled: isAsked && reseller === undefined },
	);
	const theirs = useRead(
		'/operator/statement/references',
		{ text, reseller: reseller ?? '' },
		{ keepsPrevious: true, enabled: isAsked && reseller !== undefined },
	);
	return isAsked ? first((reseller === undefined ? own : theirs).data) : [];
}

/** E-mail addresses: of the team by a part; for operators (`null`) of all people by the beginning. */
export function useEmails(reseller: string | null, typed: string): readonly string[] {
	const text = useAsked(typed).toLowerCase();
	const isAsked = text !== '';
	const team = useRead('/team', {}, { enabled: isAsked && reseller !== null });
	const all = useRead(
		'/operator/people',
		{ search: text },
		{ keepsPrevious: true, enabled: isAsked && reseller === null },
	);
	if (!isAsked) return [];
	const emails = (reseller === null ? all : team).data?.people.map(({ email }) => email);
	return first(emails?.filter((email) => email.includes(text)));
}

/** What the service is asked for. A secret that was pasted by mistake stays in the browser. */
function useAsked(typed: string): string {
	const { text, hidden } = searchedText(typed);
	const [asked] = useDebouncedValue(hidden ? '' : text, PAUSE_MS);
	return asked;
}

function first(texts: readonly string[] = []): readonly string[] {
	return texts.slice(0, MOST_SUGGESTIONS);
}
