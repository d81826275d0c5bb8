import type { PeopleFilter } from '@bursar/contract/dashboard';
import { NativeSelect, Paper, Stack } from '@mantine/core';
import { usePresence } from '../../calls/presence.ts';
import { useRead } from '../../calls/use-read.ts';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { SearchField, Toolbar } from '../../lists/toolbar.tsx';
import {
	FIRST_PAGE,
	type ListPosition,
	maybeChoiceField,
	positionQueryOf,
	textField,
	type UrlFields,
	useUrlState,
} from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { InvitePerson } from './invite-dialog.tsx';
import { PeopleList } from './people-list.tsx';
import { peopleTexts } from './texts.ts';

/** The most characters of an e-mail address. */
const MAX_LENGTH = 254;
const SKELETON_HEIGHT = 400;

/** All people who can sign in, for operators. */
export function PeoplePage() {
	const [state, change] = useUrlState(fields);
	const { search, of } = state;
	const ownEmail = usePresence().data?.person?.email;
	const query = useRead(
		'/operator/people',
		{ ...(search !== '' && { search }), ...(of && { of }), ...positionQueryOf(state) },
		{ keepsPrevious: true },
	);
	return (
		<Page
			title={pageNames.people}
			lead={peopleTexts.pageLead}
			actions={<InvitePerson reseller={null}>{peopleTexts.inviteOperator}</InvitePerson>}
		>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
				<Toolbar>
					<SearchField
						label={peopleTexts.search}
						value={search}
						maxLength={MAX_LENGTH}
						onChange={(next) => change({ search: next, ...FIRST_PAGE }, { replace: true })}
					/>
					<NativeSelect
						aria-label={peopleTexts.of}
						data={WHOSE}
						value={of ?? ''}
						onChange={({ currentTarget: { value } }) =>
							change({ of: KINDS.find((each) => each === value), ...FIRST_PAGE })
						}
					/>
				</Toolbar>
				<Answered query={query} skeleton={<Placeholder height={SKELETON_HEIGHT} />}>
					{({ people }) =>
						people.length > 0 ? (
							<PeopleList people={people} isMixed ownEmail={ownEmail} />
						) : (
							<Empty>{search === '' ? peopleTexts.none : peopleTexts.nothingFound}</Empty>
						)
					}
				</Answered>
				<PositionPager query={query} position={state} onGo={change} />
			</Paper>
		</Page>
	);
}

type Kind = NonNullable<PeopleFilter['of']>;
const KINDS: readonly Kind[] = ['operators', 'resellers'];

const WHOSE = [
	{ value: '', label: peopleTexts.ofAll },
	{ value: 'operators', label: peopleTexts.ofOperators },
	{ value: 'resellers', label: peopleTexts.ofResellers },
];

/** Who is listed, as it stands in the address. */
interface State extends ListPosition {
	/** The beginning of the e-mail address, in lowercase. */
	readonly search: string;
	readonly of: Kind | undefined;
}

const fields: UrlFields<State> = {
	search: textField(MAX_LENGTH),
	of: maybeChoiceField(KINDS),
	after: textField(),
	before: textField(),
};
