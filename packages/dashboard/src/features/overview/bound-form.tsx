import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { parseMoney, typedMoney } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { subUserTexts } from '../sub-users/texts.ts';
import { overviewTexts } from './texts.ts';

interface Props {
	readonly act: ReturnType<typeof useBound>;
	readonly lowBalance: number | null;
}

/** Asks below which balance the overview warns. */
export function BoundForm({ act, lowBalance }: Props) {
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
			<AmountField
				label={overviewTexts.bound}
				value={text}
				onType={setText}
				error={isWrong && subUserTexts.amountProblems[cents === 0 ? 'zero' : 'unreadable']}
				disabled={act.isBusy}
				isFirst
			/>
			{lowBalance !== null && (
				<Button variant="subtle" size="compact-sm" w="fit-content" disabled={act.isBusy} onClick={() => set(null)}>
					{overviewTexts.noWarning}
				</Button>
			)}
		</ActForm>
	);
}

/** Sets below which balance the overview warns. */
export function useBound() {
	const act = useAct('/overview/low-balance');
	const takeOver = useTakeOver();

	async function set(bound: number | null) {
		const answer = await act.send({ low_balance: bound });
		await takeOver({ path: '/overview', query: {}, answer });
		if (answer) act.close();
	}

	return { ...act, set };
}
