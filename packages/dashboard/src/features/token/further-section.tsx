import { MAX_NAMED_TOKENS } from '@bursar/contract/limits';
import { RESELLER_SCOPES, type ResellerScope } from '@bursar/contract/scopes';
import { Checkbox, Code, Stack, Text } from '@mantine/core';
import { useServerNow } from '../../calls/server-clock.ts';
import { useMay } from '../../calls/use-may.ts';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Section } from '../../page/section.tsx';
import { CreateToken, type ScopesField } from '../named-tokens/create-token.tsx';
import { EndToken } from '../named-tokens/end-token.tsx';
import { namedTokenTexts } from '../named-tokens/texts.ts';
import { TokensTable } from '../named-tokens/tokens-table.tsx';
import { tokenTexts } from './texts.ts';

/** The further tokens of the reseller. All its people see them, and owners make and end them. */
export function FurtherSection({ email }: { readonly email: string }) {
	const query = useRead('/tokens', {}, { staleMs: 0, everyMs: 10_000 });
	const nowMs = useServerNow(1000);
	const mayChange = useMay('/tokens/create');
	const live = query.data?.tokens.filter(({ expires }) => Date.parse(expires) > nowMs) ?? [];
	const full = live.length >= MAX_NAMED_TOKENS ? tokenTexts.furtherFull : undefined;
	return (
		<Section
			title={tokenTexts.further}
			lead={tokenTexts.furtherLead}
			actions={
				<CreateToken
					path="/tokens/create"
					reason={mayChange ? full : tokenTexts.furtherOnlyOwners}
					scopesField={scopesField}
				/>
			}
		>
			<Answered query={query}>
				{({ tokens }) =>
					tokens.length === 0 ? (
						<Text size="sm" c="dimmed">
							{tokenTexts.furtherNone}
						</Text>
					) : (
						<TokensTable
							tokens={tokens}
							makerOf={(madeBy) => makerOf(madeBy, email)}
							endButton={
								mayChange ? ({ id, name }) => <EndToken path="/tokens/end" name={name} body={{ id }} /> : undefined
							}
						/>
					)
				}
			</Answered>
		</Section>
	);
}

function makerOf(madeBy: string, email: string): string {
	if (madeBy === 'api') return namedTokenTexts.program;
	return madeBy === email ? namedTokenTexts.you : madeBy;
}

const scopesField: ScopesField = ({ scopes, onChoose, disabled }) => (
	<Checkbox.Group
		label={namedTokenTexts.scopes}
		description={tokenTexts.scopesHint}
		value={[...scopes]}
		onChange={(chosen) => onChoose(RESELLER_SCOPES.filter((scope) => chosen.includes(scope)))}
	>
		<Stack gap="xs" mt="xs">
			{RESELLER_SCOPES.map((scope: ResellerScope) => (
				<Checkbox
					key={scope}
					value={scope}
					label={
						<>
							{tokenTexts.scopeNames[scope]} <Code>{scope}</Code>
						</>
					}
					description={tokenTexts.scopeMeans[scope]}
					disabled={disabled}
				/>
			))}
		</Stack>
	</Checkbox.Group>
);
