import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { SearchEnd } from '../../../frame/search-end.tsx';
import { Section } from '../../../frame/section.tsx';
import { statementTexts } from '../../../texts/statement.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useStatement } from '../../statement/api/use-statement.ts';
import { MovementsTable } from '../../statement/components/movements-table.tsx';

/** What was given to a sub-user and taken from it, the newest first. The statement has all of it, page by page. */
export function MovementsSection({ username }: { readonly username: string }) {
	const query = useStatement({ filter: { username } });
	return (
		<Section
			title={subUserTexts.movements}
			lead={subUserTexts.movementsLead}
			actions={
				<Anchor component={Link} href={`/statement?sub_user=${encodeURIComponent(username)}`} size="sm">
					{subUserTexts.toStatement}
				</Anchor>
			}
		>
			<Answered query={query} skeleton={<Placeholder height={120} />}>
				{({ pages }) => {
					const movements = pages.flatMap((page) => page.movements);
					const searchedTo = pages.at(-1)?.searched_to ?? undefined;
					return (
						<Stack gap="md">
							{movements.length > 0 ? (
								<MovementsTable movements={movements} perspective="sub_user" />
							) : (
								<Empty>{query.hasNextPage ? statementTexts.nothingYet : subUserTexts.noMovements}</Empty>
							)}
							{query.hasNextPage && (
								<SearchEnd
									searchedTo={searchedTo}
									onGoOn={() => void query.fetchNextPage()}
									isBusy={query.isFetchingNextPage}
								/>
							)}
						</Stack>
					);
				}}
			</Answered>
		</Section>
	);
}
