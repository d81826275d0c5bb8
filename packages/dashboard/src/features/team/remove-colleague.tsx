import { Button, Text } from '@mantine/core';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { teamTexts } from './texts.ts';

/** A button that removes a colleague, after a question. */
export function RemoveColleague({ email }: { readonly email: string }) {
	const act = useAct('/team/remove');
	const takeOver = useTakeOver();

	async function send() {
		const answer = await act.send({ email });
		if (answer) act.close();
		await takeOver(answer && { path: '/team', query: {}, answer }, ['/team', '/activity']);
	}

	return (
		<>
			<Button size="xs" variant="default" aria-label={teamTexts.removeOne(email)} onClick={act.open}>
				{teamTexts.remove}
			</Button>
			<ActDialog act={act} title={teamTexts.removeTitle(email)}>
				<ActForm act={act} onSubmit={() => void send()} action={teamTexts.removeNow} isDangerous>
					<Text size="sm">{teamTexts.removeIntro}</Text>
				</ActForm>
			</ActDialog>
		</>
	);
}
