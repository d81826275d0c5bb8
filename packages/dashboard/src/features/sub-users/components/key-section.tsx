import { Button, Group, Text } from '@mantine/core';
import { newActId } from '../../../api/act-id.ts';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../frame/failure.tsx';
import { Section } from '../../../frame/section.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useShownPair } from '../use-shown-pair.ts';
import { PairView } from './pair-view.tsx';
import { ResetKey } from './reset-key.tsx';

/** The proxy auth key of a sub-user. It is read when somebody asks to see it, and that is recorded. */
export function KeySection({ username }: { readonly username: string }) {
	const question = useChange('/sub-users/show-key');
	const { pair, show, hide } = useShownPair();

	async function ask() {
		const answer = await question.run({ act: newActId(), username });
		if (answer) show(answer);
	}

	return (
		<Section
			title={subUserTexts.key}
			lead={subUserTexts.keyLead}
			actions={
				<Group gap="xs">
					<Button variant="default" loading={question.isBusy} onClick={pair ? hide : ask}>
						{pair ? subUserTexts.hideKey : subUserTexts.showKey}
					</Button>
					<ResetKey username={username} onReset={hide} />
				</Group>
			}
		>
			<Failure error={question.failure} />
			{pair ? (
				<PairView pair={pair} />
			) : (
				<Text size="sm" c="dimmed">
					{subUserTexts.showIsRecorded}
				</Text>
			)}
		</Section>
	);
}
