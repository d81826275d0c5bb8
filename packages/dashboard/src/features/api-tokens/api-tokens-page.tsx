import { MAX_OPERATOR_TOKENS } from '@bursar/contract/limits';
import { Alert, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePresence } from '../../calls/presence.ts';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { Empty } from '../../lists/empty.tsx';
import { Answered } from '../../page/answered.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CreateToken } from '../named-tokens/create-token.tsx';
import { EndToken } from '../named-tokens/end-token.tsx';
import { namedTokenTexts } from '../named-tokens/texts.ts';
import { TokensTable } from '../named-tokens/tokens-table.tsx';
import { OperatorScopesField } from './scopes-field.tsx';
import { apiTokensTexts } from './texts.ts';

/** The tokens of programs of the operator. */
export function ApiTokensPage() {
	const query = useRead('/operator/tokens', {}, { staleMs: 0, everyMs: 10_000 });
	const nowMs = useServerNow(1000);
	const presentEmail = usePresence().data?.person?.email;
	/** Stays while the person is signed out, because the page stays too. */
	const [email] = useState(presentEmail);
	const live = query.data?.tokens.filter(({ expires }) => Date.parse(expires) > nowMs) ?? [];
	return (
		<Page
			title={pageNames.apiTokens}
			lead={apiTokensTexts.lead}
			actions={
				<CreateToken
					path="/operator/tokens/create"
					reason={live.length >= MAX_OPERATOR_TOKENS ? apiTokensTexts.full : undefined}
					scopesField={(field) => <OperatorScopesField {...field} />}
				/>
			}
		>
			<Answered query={query}>
				{({ tokens, api_url }) => (
					<Stack gap="lg">
						{tokens.length === 0 ? (
							<Empty>{apiTokensTexts.none}</Empty>
						) : (
							<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
								<TokensTable
									tokens={tokens}
									makerOf={(madeBy) => (madeBy === email ? namedTokenTexts.you : madeBy)}
									endButton={({ name }) => <EndToken path="/operator/tokens/end" name={name} body={{ name }} />}
								/>
							</Paper>
						)}
						<ApiSection url={api_url} />
					</Stack>
				)}
			</Answered>
		</Page>
	);
}

/** Where the API is, or how it is switched on. */
function ApiSection({ url }: { readonly url: string | null }) {
	return (
		<Section title={apiTokensTexts.api} lead={apiTokensTexts.apiLead}>
			{url === null ? (
				<Alert color="gray" title={apiTokensTexts.off}>
					{apiTokensTexts.switchOn}
				</Alert>
			) : (
				<Stack gap={6}>
					<Text size="sm">{apiTokensTexts.address}</Text>
					<Copyable isCommand text={url} label={apiTokensTexts.address} />
				</Stack>
			)}
		</Section>
	);
}
