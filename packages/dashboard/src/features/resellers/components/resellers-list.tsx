import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Stack } from '@mantine/core';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Pager } from '../../../frame/pager.tsx';
import { SearchField } from '../../../frame/search-field.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
import { resellerTexts } from '../../../texts/resellers.ts';
import { useResellers } from '../api/use-resellers.ts';
import { resellersFields } from '../resellers-state.ts';
import { ResellersTable } from './resellers-table.tsx';

/** All resellers by name, with a search. */
export function ResellersList() {
	const [{ search, after, before }, change] = useUrlState(resellersFields);
	const query = useResellers({
		...(search !== '' && { search }),
		...(after !== undefined ? { after } : before !== undefined && { before }),
	});
	return (
		<Stack gap="md">
			<SearchField
				label={resellerTexts.search}
				value={search}
				maxLength={USERNAME_MAX_LENGTH}
				onChange={(next) => change({ search: next, after: undefined, before: undefined }, { replace: true })}
			/>
			<Answered query={query}>
				{({ resellers, next, previous }) => (
					<Stack gap="md">
						{resellers.length > 0 ? (
							<ResellersTable resellers={resellers} isStale={query.isPlaceholderData} />
						) : (
							<Empty>{search === '' ? resellerTexts.none : resellerTexts.nothingFound}</Empty>
						)}
						<Pager
							isBusy={query.isPlaceholderData}
							onPrevious={previous === null ? undefined : () => change({ before: previous, after: undefined })}
							onNext={next === null ? undefined : () => change({ after: next, before: undefined })}
						/>
					</Stack>
				)}
			</Answered>
		</Stack>
	);
}
