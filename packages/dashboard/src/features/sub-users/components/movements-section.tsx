import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { SearchedPages } from '../../../frame/searched-pages.tsx';
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
			<SearchedPages
				query={query}
				skeleton={<Placeholder height={120} />}
				rowsOf={({ movements }) => movements}
				nothingYet={statementTexts.nothingYet}
				nothing={subUserTexts.noMovements}
			>
				{(movements) => <MovementsTable movements={movements} perspective="sub_user" />}
			</SearchedPages>
		</Section>
	);
}
