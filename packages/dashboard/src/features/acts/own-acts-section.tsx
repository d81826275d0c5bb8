import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { read } from '../../calls/call.ts';
import { sendSignedIn } from '../../calls/presence.ts';
import { Empty } from '../../lists/empty.tsx';
import { Item, ItemList } from '../../lists/item.tsx';
import { Answered } from '../../page/answered.tsx';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { actText } from './act-text.ts';
import { DetailLines } from './detail-lines.tsx';
import { ownActsTexts } from './texts.ts';

/** What the person did, the newest first. */
export function OwnActsSection() {
	const query = useInfiniteQuery({
		queryKey: ['/account/acts'],
		queryFn: ({ client, pageParam, signal }) =>
			sendSignedIn(client, () => read('/account/acts', pageParam === undefined ? {} : { before: pageParam }, signal)),
		initialPageParam: undefined as number | undefined,
		getNextPageParam: ({ next_before }) => next_before ?? undefined,
	});
	return (
		<Section title={ownActsTexts.title} lead={ownActsTexts.lead}>
			<Answered query={query}>
				{({ pages }) => {
					const acts = pages.flatMap((page) => page.acts);
					if (acts.length === 0) return <Empty>{ownActsTexts.none}</Empty>;
					return (
						<ItemList>
							{acts.map((act) => (
								<Item
									key={act.number}
									name={actText(act)}
									details={
										<>
											<DetailLines act={act} />
											<Moment at={act.at} />
											{act.address && ownActsTexts.from(act.address)}
										</>
									}
								/>
							))}
						</ItemList>
					);
				}}
			</Answered>
			{query.hasNextPage && (
				<Button
					variant="default"
					w="fit-content"
					loading={query.isFetchingNextPage}
					onClick={() => void query.fetchNextPage()}
				>
					{ownActsTexts.more}
				</Button>
			)}
		</Section>
	);
}
