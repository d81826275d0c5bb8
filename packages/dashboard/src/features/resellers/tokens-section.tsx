import type { TokenState } from '@bursar/contract/dashboard';
import { Alert, Button, List, Text } from '@mantine/core';
import { ActForm } from '../../acts/act-form.tsx';
import { useServerNow } from '../../calls/server-clock.ts';
import { momentText } from '../../format/time.ts';
import { Facts } from '../../page/facts.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { resellerTexts } from './texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

/** The tokens of a reseller, each by its last characters. */
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
						value: current.made_by === 'operator' ? resellerTexts.operator : <Name>{current.made_by}</Name>,
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

/** A button that ends all tokens of a reseller, and shows the new one once. */
function EndTokens({ reseller }: { readonly reseller: string }) {
	const refresh = useRefreshReseller();
	return (
		<SecretActDialog
			path="/operator/end-tokens"
			done={(answer) => refresh(reseller, answer?.details)}
			title={resellerTexts.endTokensTitle(reseller)}
			button={(open) => (
				<Button color="red" variant="outline" w="fit-content" onClick={open}>
					{resellerTexts.endTokens}
				</Button>
			)}
			secretOf={({ token }) => ({
				title: resellerTexts.createdTitle(reseller),
				secret: token,
				label: resellerTexts.newToken,
				intro: resellerTexts.endedIntro(reseller),
			})}
		>
			{(act) => (
				<ActForm
					act={act}
					body={{ reseller }}
					action={resellerTexts.endTokens}
					isDangerous
					repeated={resellerTexts.endedLost}
				>
					<Text size="sm" fw={600}>
						{resellerTexts.endTokensBreaks(reseller)}
					</Text>
					<List size="sm" spacing={4}>
						{Object.values(resellerTexts.endTokensEffects).map((effect) => (
							<List.Item key={effect}>{effect}</List.Item>
						))}
					</List>
				</ActForm>
			)}
		</SecretActDialog>
	);
}
