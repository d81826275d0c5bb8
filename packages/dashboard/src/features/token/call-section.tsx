import { Accordion, Anchor, Stack, Text } from '@mantine/core';
import { Section } from '../../page/section.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { curlCommands } from './curl-commands.ts';
import { tokenTexts } from './texts.ts';
import classes from './token.module.css';

/** How to call each endpoint of the API. */
export function CallSection({ apiUrl }: { readonly apiUrl: string }) {
	return (
		<Section
			title={tokenTexts.call}
			lead={tokenTexts.callLead}
			actions={
				<Anchor href="/docs" target="_blank" size="sm">
					{tokenTexts.reference}
				</Anchor>
			}
		>
			<Example title={tokenTexts.baseAddress} text={apiUrl} />
			<Example title={tokenTexts.shellHint} text={tokenTexts.readToken} />
			<Accordion variant="separated" defaultValue="myInfo" order={3}>
				{curlCommands(apiUrl).map(({ operation, method, path, command }) => (
					<Accordion.Item key={operation} value={operation}>
						<Accordion.Control>
							<Text component="span" size="sm" fw={600} display="block">
								{tokenTexts.endpoints[operation]}
							</Text>
							<span className={classes.path}>
								<span className={classes.method}>{method}</span>
								<span>{path}</span>
							</span>
						</Accordion.Control>
						<Accordion.Panel>
							<Copyable isCommand text={command} label={tokenTexts.commandLabel(tokenTexts.endpoints[operation])} />
						</Accordion.Panel>
					</Accordion.Item>
				))}
			</Accordion>
		</Section>
	);
}

function Example({ title, text }: { readonly title: string; readonly text: string }) {
	return (
		<Stack gap={6}>
			<Text size="sm">{title}</Text>
			<Copyable isCommand text={text} label={title} />
		</Stack>
	);
}
