import type { SubUserLimits } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { Anchor, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { newActId } from '../../acts/act.ts';
import { type AmountProblem, typedAmount } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { Section } from '../../page/section.tsx';
import { subUserTexts } from '../sub-users/texts.ts';
import { ChosenLimits } from './chosen-limits.tsx';
import { FileChoice } from './file-choice.tsx';
import { OPERATION_NAMES, OPERATIONS, type OperationName, SELECTION_OPERATIONS } from './operations.ts';
import { Preview } from './preview.tsx';
import { newRun, type Run, type WantedLine } from './run.ts';
import { manyTexts } from './texts.ts';

/** What was selected in the list, and what is to be done with it. */
export interface Draft {
	/** Another one for each time that something was selected. */
	readonly id: string;
	readonly operation: OperationName;
	readonly usernames: readonly string[];
}

/** A file that is right as a whole. */
interface ChosenFile {
	/** Another one for each time that a file was chosen. */
	readonly id: string;
	readonly name: string;
	readonly lines: readonly WantedLine[];
}

interface Props {
	readonly draft: Draft | undefined;
	readonly onStart: (run: Run) => void;
}

/** Asks what to do with whom, and shows all lines with what they cost before anything is sent. */
export function Prepare({ draft, onStart }: Props) {
	const [operation, setOperation] = useState<OperationName>(draft?.operation ?? 'give');
	const [usernames, setUsernames] = useState(draft?.usernames);
	const [file, setFile] = useState<ChosenFile>();
	const [amount, setAmount] = useState('');
	const [limits, setLimits] = useState<Partial<SubUserLimits>>();
	const { form } = OPERATIONS[operation];
	const each = usernames && form.hasAmounts ? typedAmount(amount, { from: MAX_CENTS, to: 0 }) : undefined;
	const lines = usernames ? selectedLines(usernames, each?.state === 'right' ? each.cents : 0) : (file?.lines ?? []);
	const isComplete =
		lines.length > 0 && (!each || each.state === 'right') && (operation !== 'limits' || limits !== undefined);
	const id = usernames ? draft?.id : file?.id;

	function choose(next: OperationName) {
		setOperation(next);
		// A file with amounts has another form than one without.
		if (OPERATIONS[next].form !== form) setFile(undefined);
		setLimits(undefined);
	}
	function start(sent: readonly WantedLine[]) {
		const settings = operation === 'limits' && limits ? { limits } : {};
		onStart(
			newRun(
				{ operation, file: usernames ? '' : (file?.name ?? ''), ...settings, ...(draft && { draft: draft.id }) },
				sent,
			),
		);
	}

	return (
		<>
			<Section title={manyTexts.prepare} lead={manyTexts.lead}>
				<NativeSelect
					label={manyTexts.operation}
					description={manyTexts.hints[operation]}
					data={(usernames ? SELECTION_OPERATIONS : OPERATION_NAMES).map((value) => ({
						value,
						label: manyTexts.operations[value].name,
					}))}
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
						key={OPERATION_NAMES.find((name) => OPERATIONS[name].form === form)}
						form={form}
						onRead={(name, read) => setFile(read && { id: newActId(), name, lines: read })}
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
			{isComplete && id !== undefined && (
				<Preview
					// What a person has decided and typed belongs to these lines and this operation.
					key={`${id} ${operation}`}
					id={id}
					operation={operation}
					lines={lines}
					isFile={!usernames}
					onStart={start}
				/>
			)}
		</>
	);
}

function selectedLines(usernames: readonly string[], cents: number): readonly WantedLine[] {
	return usernames.map((username, index) => ({ line: index + 1, username, cents }));
}

function amountProblem(problem: AmountProblem): string {
	return subUserTexts.amountProblems[problem === 'too_much' ? 'too_large' : problem];
}
