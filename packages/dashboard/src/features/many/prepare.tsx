import type { SubUserLimits } from '@bursar/contract/dashboard';
import { CREATE_FEE_CENTS, MAX_CENTS } from '@bursar/contract/limits';
import { Anchor, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../calls/use-read.ts';
import { type AmountProblem, moneyText, typedAmount } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { Facts } from '../../page/facts.tsx';
import { Section } from '../../page/section.tsx';
import { subUserTexts } from '../sub-users/texts.ts';
import { ChosenLimits } from './chosen-limits.tsx';
import { FileChoice } from './file-choice.tsx';
import { LinesTable } from './lines-table.tsx';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.ts';
import { newRun, type Run, totalCents, type WantedLine } from './run.ts';
import { manyTexts, startText } from './texts.ts';

/** What was selected in the list, and what is to be done with it. */
export interface Draft {
	/** Another one for each time that something was selected. */
	readonly id: string;
	readonly operation: OperationName;
	readonly usernames: readonly string[];
}

interface Props {
	readonly draft: Draft | undefined;
	readonly onStart: (run: Run) => void;
}

/** Asks what to do with whom, and shows all lines with what they cost before anything is sent. */
export function Prepare({ draft, onStart }: Props) {
	const [operation, setOperation] = useState<OperationName>(draft?.operation ?? 'give');
	const [usernames, setUsernames] = useState(draft?.usernames);
	const [file, setFile] = useState<{ readonly name: string; readonly lines: readonly WantedLine[] }>();
	const [amount, setAmount] = useState('');
	const [limits, setLimits] = useState<Partial<SubUserLimits>>();
	const { hasAmounts } = OPERATIONS[operation];
	const each = usernames && hasAmounts ? typedAmount(amount, { from: MAX_CENTS, to: 0 }) : undefined;
	const lines = usernames ? selectedLines(usernames, each?.state === 'right' ? each.cents : 0) : (file?.lines ?? []);
	const isComplete =
		lines.length > 0 && (!each || each.state === 'right') && (operation !== 'limits' || limits !== undefined);

	function choose(next: OperationName) {
		setOperation(next);
		// A file with amounts has another form than one without.
		if (OPERATIONS[next].hasAmounts !== hasAmounts) setFile(undefined);
		setLimits(undefined);
	}
	function start() {
		const settings = operation === 'limits' && limits ? { limits } : {};
		onStart(
			newRun(
				{ operation, file: usernames ? '' : (file?.name ?? ''), ...settings, ...(draft && { draft: draft.id }) },
				lines,
			),
		);
	}

	return (
		<>
			<Section title={manyTexts.operation} lead={manyTexts.lead}>
				<NativeSelect
					label={manyTexts.operation}
					description={manyTexts.hints[operation]}
					data={OPERATION_NAMES.map((value) => ({ value, label: manyTexts.operations[value].name }))}
					value={operation}
					onChange={({ currentTarget: { value } }) => choose(value as OperationName)}
				/>
				{operation === 'limits' && <ChosenLimits onChoose={setLimits} />}
				{usernames ? (
					<Stack gap={4}>
						<Text size="sm" fw={600}>
							{manyTexts.selected(usernames.length)}
						</Text>
						<Anchor component="button" type="button" size="sm" w="fit-content" onClick={() => setUsernames(undefined)}>
							{manyTexts.fileInstead}
						</Anchor>
					</Stack>
				) : (
					<FileChoice
						key={String(hasAmounts)}
						hasAmounts={hasAmounts}
						onRead={(name, read) => setFile(read && { name, lines: read })}
					/>
				)}
				{each && (
					<AmountField
						label={manyTexts.amountEach}
						description={subUserTexts.amountHint}
						value={amount}
						onType={setAmount}
						error={each.state === 'wrong' && !isUnfinished(amount) && amountProblem(each.problem)}
					/>
				)}
			</Section>
			{isComplete && <Preview operation={operation} lines={lines} onStart={start} />}
		</>
	);
}

function selectedLines(usernames: readonly string[], cents: number): readonly WantedLine[] {
	return usernames.map((username, index) => ({ line: index + 1, username, cents }));
}

function amountProblem(problem: AmountProblem): string {
	return subUserTexts.amountProblems[problem === 'too_much' ? 'too_large' : problem];
}

interface PreviewProps {
	readonly operation: OperationName;
	readonly lines: readonly WantedLine[];
	readonly onStart: () => void;
}

/** All lines, and what they move in total. */
function Preview({ operation, lines, onStart }: PreviewProps) {
	const { data } = useRead('/overview', {}, { staleMs: 0 });
	const total = operation === 'create' ? lines.length * CREATE_FEE_CENTS : totalCents(lines);
	const spends = operation === 'create' || operation === 'give';
	const isPoor = spends && data !== undefined && total > data.balance;
	return (
		<Section title={manyTexts.lines} lead={manyTexts.dangerous}>
			{total > 0 && (
				<Facts
					facts={[
						{ name: manyTexts.total, value: moneyText(total) },
						{ name: manyTexts.yourBalance, value: data ? moneyText(data.balance) : '–' },
						...(spends && data && !isPoor
							? [{ name: manyTexts.afterwards, value: moneyText(data.balance - total) }]
							: []),
					]}
				/>
			)}
			<LinesTable lines={lines} hasAmounts={OPERATIONS[operation].hasAmounts} />
			<ExplainedButton reason={isPoor ? manyTexts.tooPoor : undefined} onClick={onStart}>
				{startText(operation, lines.length, total)}
			</ExplainedButton>
		</Section>
	);
}
