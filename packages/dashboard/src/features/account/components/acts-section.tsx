import { Button, Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { Section } from '../../../frame/section.tsx';
import { accountTexts } from '../../../texts/account.ts';
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
						<>
							<Table.ScrollContainer minWidth={480} type="native">
								<Table>
									<Table.Thead>
										<Table.Tr>
											<Table.Th>{accountTexts.at}</Table.Th>
											<Table.Th>{accountTexts.act}</Table.Th>
											<Table.Th>{accountTexts.target}</Table.Th>
											<Table.Th>{accountTexts.actAddress}</Table.Th>
										</Table.Tr>
									</Table.Thead>
									<Table.Tbody>
										{acts.map(({ number, at, kind, target, address }) => (
											<Table.Tr key={number}>
												<Table.Td>
													<Moment at={at} />
												</Table.Td>
												<Table.Td>{accountTexts.kinds[kind]}</Table.Td>
												<Table.Td>{target}</Table.Td>
												<Table.Td>{address}</Table.Td>
											</Table.Tr>
										))}
									</Table.Tbody>
								</Table>
							</Table.ScrollContainer>
							{query.hasNextPage && (
								<Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
									{accountTexts.more}
								</Button>
							)}
						</>
					);
				}}
			</Answered>
		</Section>
	);
}
