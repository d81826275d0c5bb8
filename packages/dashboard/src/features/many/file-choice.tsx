import type { BulkForm } from '@bursar/contract/bulk';
import { List, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { FileField } from '../../forms/file-field.tsx';
import { FailureNote } from '../../page/failure.tsx';
import { type ReadFile, readFile } from './read-file.ts';
import type { WantedLine } from './run.ts';
import { badLineText, manyTexts } from './texts.ts';

interface Props {
	readonly form: BulkForm;
	/** Called with the lines of a file that is right as a whole; without, if there is none. */
	readonly onRead: (name: string, lines: readonly WantedLine[] | undefined) => void;
}

/** Asks for a file, and says what is wrong in it. */
export function FileChoice({ form, onRead }: Props) {
	const [name, setName] = useState<string>();
	const latest = useRef<File>(undefined);
	const [read, setRead] = useState<ReadFile>();

	async function take(file: File): Promise<void> {
		setName(file.name);
		latest.current = file;
		const next = await readFile(file, form);
		// Another file was chosen meanwhile.
		if (latest.current !== file) return;
		setRead(next);
		onRead(file.name, next.state === 'right' ? next.lines : undefined);
	}
	return (
		<>
			<FileField
				label={manyTexts.file}
				description={`${manyTexts.fileHints[form.hasTerms ? 'terms' : form.hasAmounts ? 'amounts' : 'usernames']} ${manyTexts.fileHint}`}
				accept=".csv,.txt,text/csv,text/plain"
				fileName={name}
				onChoose={(file) => void take(file)}
			/>
			{read && <Problems read={read} />}
		</>
	);
}

function Problems({ read }: { readonly read: ReadFile }) {
	if (read.state === 'right') {
		return read.headingLine === undefined ? null : <Text size="sm">{manyTexts.heading(String(read.headingLine))}</Text>;
	}
	if (read.state === 'wrong') return <FailureNote text={{ happened: manyTexts[read.problem], todo: manyTexts.mend }} />;
	const { problems, count } = read;
	return (
		<>
			<FailureNote text={{ happened: manyTexts.badLines(count), todo: manyTexts.mend }} />
			<List size="sm">
				{problems.map((problem) => (
					<List.Item key={problem.line}>{badLineText(problem)}</List.Item>
				))}
				{count > problems.length && <List.Item>{manyTexts.moreBadLines(count - problems.length)}</List.Item>}
			</List>
		</>
	);
}
