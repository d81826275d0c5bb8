import { Button, Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../../api/use-act.ts';
import { parseMoney, typedMoney } from '../../../format/money.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { overviewTexts } from '../../../texts/overview.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { overviewQuery } from '../api/use-overview.ts';

/** Sets below which balance the overview warns. */
export function useBound() {
	const act = useAct('/overview/low-balance');
	const client = useQueryClient();

	async function set(bound: number | null) {
		const answer = await act.send({ low_balance: bound });
		// A read that is under way may still bring the previous bound.
		await client.cancelQueries(overviewQuery);
		if (answer) client.setQueryData(overviewQuery.queryKey, answer);
		else void client.invalidateQueries(overviewQuery);
		if (answer) act.close();
	}

	return { ...act, set };
}

interface Props {
	readonly act: ReturnType<typeof useBound>;
	readonly lowBalance: number | null;
}

export function BoundDialog({ act, lowBalance }: Props) {
	return (
		<Modal
			opened={act.isOpen}
			onClose={act.close}
			title={act.state === 'open' ? overviewTexts.boundTitle : frameTexts.lostTitle}
		>
			<BoundForm act={act} lowBalance={lowBalance} />
		</Modal>
	);
}

function BoundForm({ act, lowBalance }: Props) {
	const [text, setText] = useState(lowBalance === null ? '' : typedMoney(lowBalance));
	const cents = parseMoney(text);
	/** What was sent last: the same again, if its answer was lost. */
	const [sent, setSent] = useState<number | null>(null);
	const isWrong = text.trim() !== '' && !text.endsWith('.') && (cents === undefined || cents === 0);

	function set(bound: number | null) {
		setSent(bound);
		void act.set(bound);
	}

	return (
		<ActForm
			act={act}
			onSubmit={() => set(act.state === 'open' ? (cents ?? null) : sent)}
			action={overviewTexts.save}
			repeated={overviewTexts.boundRepeated}
			isComplete={cents !== undefined && cents > 0}
		>
			<Text size="sm">{overviewTexts.boundIntro}</Text>
			<TextInput
				label={overviewTexts.bound}
				value={text}
				onChange={(event) => setText(event.currentTarget.value)}
				error={isWrong && subUserTexts.amountProblems[cents === 0 ? 'zero' : 'unreadable']}
				leftSection="$"
				inputMode="decimal"
				autoComplete="off"
				maxLength={30}
				disabled={act.isBusy}
				data-autofocus
			/>
			{lowBalance !== null && (
				<Button variant="subtle" size="compact-sm" w="fit-content" disabled={act.isBusy} onClick={() => set(null)}>
					{overviewTexts.noWarning}
				</Button>
			)}
		</ActForm>
	);
}
