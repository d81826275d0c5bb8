import type { TokenState } from '@bursar/contract/dashboard';
import { Alert, Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useServerNow } from '../../calls/server-clock.ts';
import { momentText } from '../../format/time.ts';
import { Facts } from '../../page/facts.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { resellerTexts } from './texts.ts';
import { useNoteReseller } from './use-reseller.ts';

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
	const act = useAct('/operator/end-tokens');
	const note = useNoteReseller();
	/** The token exists here and nowhere else, and only until the dialog closes. */
	const [token, setToken] = useState<string>();

	function close() {
		setToken(undefined);
		act.close();
	}
	async function send() {
		const answer = await act.send({ reseller });
		if (answer) setToken(answer.token);
		void note(reseller, answer?.details);
	}

	return (
		<>
			<Button color="red" variant="outline" w="fit-content" onClick={act.open}>
				{resellerTexts.endTokens}
			</Button>
			<SecretActDialog
				act={act}
				title={resellerTexts.endTokensTitle(reseller)}
				secret={token}
				secretTitle={resellerTexts.createdTitle(reseller)}
				secretLabel={resellerTexts.newToken}
				secretIntro={resellerTexts.endedIntro(reseller)}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void send()}
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
			</SecretActDialog>
		</>
	);
}
