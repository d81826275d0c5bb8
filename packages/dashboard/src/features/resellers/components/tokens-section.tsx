import type { TokenState } from '@bursar/contract/dashboard';
import { Alert } from '@mantine/core';
import { useServerNow } from '../../../api/use-server-now.ts';
import { momentText } from '../../../format/time.ts';
import { Ago } from '../../../frame/ago.tsx';
import { Email } from '../../../frame/email.tsx';
import { Facts } from '../../../frame/facts.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { Section } from '../../../frame/section.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { EndTokens } from './end-tokens.tsx';

/** The tokens of a reseller as far as anybody may see them. */
export function TokensSection({ reseller, tokens }: { readonly reseller: string; readonly tokens: TokenState }) {
	const { current, previous } = tokens;
	const nowMs = useServerNow(1000);
	return (
		<Section title={resellerTexts.tokens}>
			<Facts
				facts={[
					{ name: resellerTexts.tail, value: <code>{current.tail}</code> },
					{ name: resellerTexts.made, value: <Moment at={current.made} /> },
					{
						name: resellerTexts.madeBy,
						value: current.made_by === 'operator' ? resellerTexts.operator : <Email address={current.made_by} />,
					},
					{
						name: resellerTexts.tokenLastUsed,
						value: current.last_used === null ? resellerTexts.never : <Ago at={current.last_used} />,
					},
				]}
			/>
			{previous && (
				<Alert color="yellow" title={resellerTexts.previousTitle(previous.tail)}>
					{nowMs < Date.parse(previous.expires)
						? resellerTexts.previousUntil(momentText(previous.expires))
						: resellerTexts.previousEnded(momentText(previous.expires))}
				</Alert>
			)}
			<EndTokens reseller={reseller} />
		</Section>
	);
}
