import { Button } from '@mantine/core';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Item, ItemList } from '../../../frame/item.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { Section } from '../../../frame/section.tsx';
import { accountTexts } from '../../../texts/account.ts';
import { actText } from '../act-text.ts';
import { useActs } from '../api/use-acts.ts';

/** What the person did, the newest first. */
export function ActsSection() {
	const query = useActs();
	return (
		<Section title={accountTexts.acts} lead={accountTexts.actsLead}>
			<Answered query={query}>
				{({ pages }) => {
					const acts = pages.flatMap((page) => page.acts);
					if (acts.length === 0) return <Empty>{accountTexts.noActs}</Empty>;
					return (
						<ItemList>
							{acts.map(({ number, at, kind, target, address }) => (
								<Item
									key={number}
									name={actText({ kind, target })}
									details={
										<>
											<Moment at={at} />
											{accountTexts.from(address)}
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
					{accountTexts.more}
				</Button>
			)}
		</Section>
	);
}
