import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Stack } from '@mantine/core';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { FIRST_PAGE, placeQueryOf } from '../../../frame/list-place.ts';
import { PlacePager } from '../../../frame/place-pager.tsx';
import { SearchField } from '../../../frame/search-field.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
import { resellerTexts } from '../../../texts/resellers.ts';
import { useResellers } from '../api/use-resellers.ts';
import { resellersFields } from '../resellers-state.ts';
import { ResellersTable } from './resellers-table.tsx';

/** All resellers by name, with a search. */
export function ResellersList() {
	const [state, change] = useUrlState(resellersFields);
	const { search } = state;
	const query = useResellers({ ...(search !== '' && { search }), ...placeQueryOf(state) });
	return (
		<Stack gap="md">
			<SearchField
				label={resellerTexts.search}
				value={search}
				maxLength={USERNAME_MAX_LENGTH}
				onChange={(next) => change({ search: next, ...FIRST_PAGE }, { replace: true })}
			/>
			<Answered query={query}>
				{({ resellers }) =>
					resellers.length > 0 ? (
						<ResellersTable resellers={resellers} isStale={query.isPlaceholderData} />
					) : (
						<Empty>{search === '' ? resellerTexts.none : resellerTexts.nothingFound}</Empty>
					)
				}
			</Answered>
			<PlacePager query={query} place={state} onGo={change} />
		</Stack>
	);
}
