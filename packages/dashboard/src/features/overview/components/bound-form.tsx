import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { parseMoney, typedMoney } from '../../../format/money.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { AmountField } from '../../../frame/amount-field.tsx';
import { overviewTexts } from '../../../texts/overview.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import type { useBound } from '../api/use-bound.ts';

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
