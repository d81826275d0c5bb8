import { Button, List, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { useState } from 'react';
import { useAct } from '../../../api/use-act.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { SecretActDialog } from '../../../frame/secret-act-dialog.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { useNoteReseller } from '../api/use-reseller.ts';

/** A button that ends all tokens of a reseller, and shows the new one once. */
export function EndTokens({ reseller }: { readonly reseller: string }) {
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
						{resellerTexts.endTokensEffects.map((effect) => (
							<List.Item key={effect}>{effect}</List.Item>
						))}
					</List>
				</ActForm>
			</SecretActDialog>
		</>
	);
}
