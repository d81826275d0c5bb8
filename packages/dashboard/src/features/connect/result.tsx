import { type ProxyOptions, writeProxyPassword } from '@bursar/contract/proxy-options';
import type { ProxyUrl } from '@bursar/contract/proxy-url';
import { Accordion, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../calls/use-may.ts';
import { Failure } from '../../page/failure.tsx';
import { Section } from '../../page/section.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { type Connection, colonForm, connectionUrl } from './connection.ts';
import { curlCommand, programsFor, snippet } from './programs.ts';
import { connectTexts } from './texts.ts';
import { useKey } from './use-key.ts';

/** Stands for a key that is hidden, or for that of no account. */
const HIDDEN_KEY = 'KEY';
const NO_ACCOUNT = 'username';

interface Props {
	readonly proxy: ProxyUrl;
	readonly options: ProxyOptions;
}

/** What an operator sees, who has no account. */
export function ExampleResult({ proxy, options }: Props) {
	const connection = { proxy, username: NO_ACCOUNT, password: writeProxyPassword(HIDDEN_KEY, options) };
	return <Result lead={connectTexts.placeholder} shown={connection} />;
}

/** How a program signs in with the key of an account. A button shows the key, which is hidden at first. */
export function KeyResult({ proxy, options, username }: Props & { readonly username: string }) {
	const key = useKey(username);
	const mayShow = useMay('/sub-users/show-key');
	const connectionWith = (authkey: string): Connection => ({
		proxy,
		username,
		password: writeProxyPassword(authkey, options),
	});
	async function readConnection() {
		const authkey = await key.read();
		return authkey === undefined ? undefined : connectionWith(authkey);
	}
	if (!mayShow) return <Result lead={connectTexts.notForRole} shown={connectionWith(HIDDEN_KEY)} />;
	return (
		<Result
			lead={key.shown === undefined ? connectTexts.hidden : connectTexts.shown}
			actions={
				<Button
					variant="default"
					loading={key.isBusy}
					onClick={() => (key.shown === undefined ? void key.show() : key.hide())}
				>
					{key.shown === undefined ? connectTexts.showKey : connectTexts.hideKey}
				</Button>
			}
			failure={<Failure error={key.failure} />}
			shown={connectionWith(key.shown ?? HIDDEN_KEY)}
			readHidden={key.shown === undefined ? readConnection : undefined}
		/>
	);
}

interface ResultProps {
	readonly lead: string;
	readonly actions?: ReactNode;
	readonly failure?: ReactNode;
	/** The connection as it is shown. */
	readonly shown: Connection;
	/** Answers the connection that is copied, if another one is shown. */
	readonly readHidden?: (() => Promise<Connection | undefined>) | undefined;
}

function Result({ lead, actions, failure, shown, readHidden }: ResultProps) {
	/** A text about the connection, and how it is copied. */
	const form = (write: (connection: Connection) => string) => ({
		text: write(shown),
		readHidden:
			readHidden &&
			(async () => {
				const connection = await readHidden();
				return connection && write(connection);
			}),
	});
	return (
		<>
			<Section title={connectTexts.result} lead={lead} actions={actions}>
				{failure}
				<Form label={connectTexts.url}>
					<Copyable label={connectTexts.url} {...form(connectionUrl)} />
				</Form>
				<Form label={connectTexts.colonForm}>
					<Copyable label={connectTexts.colonForm} {...form(colonForm)} />
				</Form>
				<Form label={connectTexts.curl}>
					<Copyable isCommand label={connectTexts.curl} {...form(curlCommand)} />
				</Form>
				{shown.proxy.protocol === 'socks5' && (
					<Text size="sm" c="dimmed">
						{connectTexts.overSocks}
					</Text>
				)}
			</Section>
			<Section title={connectTexts.programs} lead={connectTexts.programsLead}>
				<Accordion variant="separated" order={3}>
					{programsFor(shown.proxy.protocol).map((program) => (
						<Accordion.Item key={program} value={program}>
							<Accordion.Control>
								<Text component="span" size="sm" fw={600}>
									{connectTexts.names[program]}
								</Text>
							</Accordion.Control>
							<Accordion.Panel>
								<Copyable
									isCommand
									label={connectTexts.names[program]}
									{...form((connection) => snippet(program, connection))}
								/>
							</Accordion.Panel>
						</Accordion.Item>
					))}
				</Accordion>
			</Section>
		</>
	);
}

function Form({ label, children }: { readonly label: string; readonly children: ReactNode }) {
	return (
		<Stack gap={4}>
			<Text size="sm" c="dimmed">
				{label}
			</Text>
			{children}
		</Stack>
	);
}
