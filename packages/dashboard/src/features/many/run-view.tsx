import { Alert, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { failureTexts } from '../../calls/failure-texts.ts';
import { Section } from '../../page/section.tsx';
import { KeysFile } from './keys-file.tsx';
import { LinesTable } from './lines-table.tsx';
import { makesKeys } from './operations.ts';
import { outcomesCsv, outcomeText, saveFile } from './outcomes.ts';
import { type Counts, countsOf, isLeft, type Run, type RunLine } from './run.ts';
import type { StopReason } from './run-lines.ts';
import { manyTexts } from './texts.ts';
import type { useMany } from './use-many.ts';

interface Props {
	readonly many: ReturnType<typeof useMany>;
	readonly run: Run;
}

/** What became of each line of a run so far, and how to go on. */
export function RunView({ many, run }: Props) {
	const { isRunning, isKept, stoppedBy } = many;
	const [shows, setShows] = useState<'all' | 'not_done'>('all');
	const counts = countsOf(run);
	const left = counts.open + counts.unknown;
	const lines = shows === 'all' ? run.lines : run.lines.filter(({ outcome }) => outcome.state !== 'done');
	return (
		<Section
			title={manyTexts.operations[run.operation].name}
			lead={run.file === '' ? manyTexts.selected(run.lines.length) : run.file}
			actions={
				isRunning && (
					<Button variant="default" onClick={many.stop}>
						{manyTexts.stop}
					</Button>
				)
			}
		>
			<div role="status">
				<Text fw={600}>{standing(run, counts, isRunning, stoppedBy)}</Text>
				<Text size="sm">{countsText(counts)}</Text>
			</div>
			{isRunning && (
				<Text size="sm" c="dimmed">
					{manyTexts.leaving}
				</Text>
			)}
			{!isKept && (
				<Alert color="orange" role="note">
					{manyTexts.notKept}
				</Alert>
			)}
			{!isRunning && <Endings many={many} run={run} left={left} unknown={counts.unknown} />}
			{makesKeys(run.operation) && many.isOwn && <KeysFile run={run} isRunning={isRunning} />}
			<Group gap="sm" align="flex-end">
				<NativeSelect
					label={manyTexts.show}
					data={[
						{ value: 'all', label: manyTexts.showAll },
						{ value: 'not_done', label: manyTexts.showNotDone },
					]}
					value={shows}
					onChange={({ currentTarget: { value } }) => setShows(value as typeof shows)}
				/>
				{!isRunning && (
					<Button variant="default" onClick={() => saveFile(`${run.operation}-outcomes.csv`, outcomesCsv(run))}>
						{manyTexts.csv}
					</Button>
				)}
			</Group>
			{lines.length === 0 ? (
				<Text size="sm" c="dimmed">
					{manyTexts.onlyDone}
				</Text>
			) : (
				<LinesTable<RunLine>
					lines={lines}
					last={{ name: manyTexts.outcome, cell: ({ outcome }) => outcomeText(outcome) }}
				/>
			)}
		</Section>
	);
}

interface EndingsProps extends Props {
	readonly left: number;
	readonly unknown: number;
}

/** Goes on with what is left, or begins anew. Lines that are left are dropped only if the person says so twice. */
function Endings({ many, run, left, unknown }: EndingsProps) {
	const [isDropping, setDropping] = useState(false);
	if (left === 0) {
		return (
			<Button variant="default" w="fit-content" onClick={many.drop}>
				{manyTexts.newRun}
			</Button>
		);
	}
	return (
		<>
			<Text size="sm">{manyTexts.goOnHint}</Text>
			<Group gap="xs">
				<Button onClick={() => void many.start(run)}>{manyTexts.goOn(left)}</Button>
				{isDropping ? (
					<>
						<Button color="red" onClick={many.drop}>
							{manyTexts.drop}
						</Button>
						<Button variant="default" onClick={() => setDropping(false)}>
							{manyTexts.keep}
						</Button>
					</>
				) : (
					<Button variant="default" onClick={() => setDropping(true)}>
						{manyTexts.newRun}
					</Button>
				)}
			</Group>
			{isDropping && unknown > 0 && (
				<Text size="sm" role="alert">
					{manyTexts.dropHint}
				</Text>
			)}
		</>
	);
}

function standing(run: Run, counts: Counts, isRunning: boolean, stoppedBy: StopReason | undefined): string {
	const ended = counts.done + counts.refused;
	if (isRunning) return manyTexts.running(ended, run.lines.length);
	if (counts.done === run.lines.length) return manyTexts.allDone;
	if (stoppedBy === 'asked' || stoppedBy === 'away') return manyTexts.stopped[stoppedBy];
	if (stoppedBy !== undefined) return manyTexts.stoppedBecause(failureTexts[stoppedBy].happened);
	return run.lines.some(isLeft) ? manyTexts.interrupted : manyTexts.ended;
}

function countsText(counts: Counts): string {
	return (['done', 'refused', 'unknown', 'open'] as const)
		.filter((state) => counts[state] > 0)
		.map((state) => manyTexts.counts[state](counts[state]))
		.join(', ');
}
