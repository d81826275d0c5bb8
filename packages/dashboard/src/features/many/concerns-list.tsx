import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { Name } from '../../page/name.tsx';
import type { Concern, ConcernedLine, Decisions } from './concerns.ts';
import { manyTexts } from './texts.ts';

/** How many lines of a concern are named. */
const NAMED = 10;

interface Props {
	readonly concerns: readonly Concern[];
	readonly decisions: Decisions;
	readonly onDecide: (decisions: Decisions) => void;
	/** Whether the lines are those of a file, and not selected. */
	readonly isFile: boolean;
}

/** What a person should look at before lines are sent, and what can be done about each. */
export function ConcernsList({ concerns, decisions, onDecide, isFile }: Props) {
	return concerns.map(({ kind, lines, mayKeep }) => {
		const { happened, why } = manyTexts.concerns[kind];
		const choice = (decision: 'left_out' | 'kept', text: string) => (
			<Button
				size="xs"
				variant={decisions[kind] === decision ? 'filled' : 'default'}
				aria-pressed={decisions[kind] === decision}
				onClick={() => onDecide({ ...decisions, [kind]: decision })}
			>
				{text}
			</Button>
		);
		return (
			<Alert key={kind} role="group" color="orange" title={happened(lines.length)} aria-label={happened(lines.length)}>
				<Stack gap="sm">
					<Text size="sm">{why}</Text>
					<List size="sm">
						{lines.slice(0, NAMED).map((line) => (
							<List.Item key={line.line}>
								<Line line={line} isFile={isFile} />
							</List.Item>
						))}
						{lines.length > NAMED && <List.Item>{manyTexts.moreBadLines(lines.length - NAMED)}</List.Item>}
					</List>
					<Group gap="xs">
						{choice('left_out', manyTexts.leaveOut(lines.length))}
						{mayKeep && choice('kept', manyTexts.sendNevertheless(lines.length))}
					</Group>
				</Stack>
			</Alert>
		);
	});
}

function Line({
	line: { line, username, firstLine },
	isFile,
}: {
	readonly line: ConcernedLine;
	readonly isFile: boolean;
}) {
	return (
		<>
			{isFile && `${manyTexts.inLine(String(line))} `}
			<Name>{username}</Name>
			{firstLine !== undefined && ` ${manyTexts.asInLine(String(firstLine))}`}
		</>
	);
}
