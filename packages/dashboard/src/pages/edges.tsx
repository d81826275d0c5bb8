import { Paper, Stack, Text } from '@mantine/core';
import { useEdges } from '../features/edges/api/use-edges.ts';
import { EdgesTable } from '../features/edges/components/edges-table.tsx';
import { Answered } from '../frame/answered.tsx';
import { Empty } from '../frame/empty.tsx';
import { Page } from '../frame/page.tsx';
import { edgesTexts } from '../texts/edges.ts';
import { frameTexts } from '../texts/frame.ts';

/** The proxy hosts, for operators. */
export function Edges() {
	return (
		<Page title={frameTexts.edges} lead={edgesTexts.lead}>
			<Answered query={useEdges()}>
				{({ edges }) =>
					edges.length === 0 ? (
						<Empty>{edgesTexts.none}</Empty>
					) : (
						<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
							<Stack gap="md">
								<EdgesTable edges={edges} />
								<Text size="sm" c="dimmed">
									{edgesTexts.quietHint}
								</Text>
							</Stack>
						</Paper>
					)
				}
			</Answered>
		</Page>
	);
}
